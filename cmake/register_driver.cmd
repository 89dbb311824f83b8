@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Names the caldera_icd.dll beside this file to the OpenCL loader; as an administrator. /remove takes it back.
setlocal
set key=HKLM\SOFTWARE\Khronos\OpenCL\Vendors
set driver=%~dp0caldera_icd.dll
if /i "%~1"=="/remove" (
  reg delete "%key%" /v "%driver%" /f
) else (
  reg add "%key%" /v "%driver%" /t REG_DWORD /d 0 /f
)
