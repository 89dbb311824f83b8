#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lab.sh GPU COMMAND...: runs COMMAND with the Vulkan driver of a GPU that this machine does not have. `lab.sh --setup` comes
# first: as root on Debian, some minutes, 1.5 GB. `lab.sh --list` prints the GPUs that tests/devices/matrix.py takes by default.
#
# The drivers are Mesa's of Debian's suite $CALDERA_LAB_SUITE (sid), in a folder of their own, $CALDERA_LAB. Mesa's drm-shims let
# them believe that their GPU is there. They compile, and run nothing: each fence is signalled at once, and memory keeps what
# the host wrote. `lavapipe` runs on the processor.
#
# GPU: lavapipe, amd:CHIP (NAVI21), adreno:NUMBER (740), apple, nvk:CHIPSET (172). COMMAND sees this project as /p. GPU: pi, mali,
# mali:ID, powervr are arm64 drivers: COMMAND is an arm64 program, which the processor's emulator runs.
set -euo pipefail
lab=${CALDERA_LAB:-/var/cache/caldera-lab}
suite=${CALDERA_LAB_SUITE:-sid}
project=$(cd "$(dirname "$0")/../.." && pwd)

# Package by package: a mirror may lack one.
install() {
  for package; do
    DEBIAN_FRONTEND=noninteractive chroot "$lab/root" apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
      echo "lab.sh: the mirror has no $package"
  done
}

setup() {
  local mirror
  mirror=${CALDERA_LAB_MIRROR:-$(apt-cache policy libc6 | grep -oE 'https?://[^ ]+/debian' | grep -v security | head -1)}
  apt-get install -y -qq --no-install-recommends debootstrap qemu-user-static g++-aarch64-linux-gnu >/dev/null
  if [ ! -e "$lab/root/usr/bin/apt-get" ]; then
    mkdir -p "$lab"
    debootstrap --variant=minbase "$suite" "$lab/root" "$mirror" >/dev/null
  fi
  echo 'Acquire::Check-Valid-Until "false";' >"$lab/root/etc/apt/apt.conf.d/99lab"  # a mirror may lag behind
  cp /etc/resolv.conf "$lab/root/etc/resolv.conf" 2>/dev/null || true
  mount_folders
  chroot "$lab/root" dpkg --add-architecture arm64
  chroot "$lab/root" apt-get update -qq
  install mesa-vulkan-drivers mesa-drm-shim libvulkan1 vulkan-tools ocl-icd-libopencl1
  # The arm64 packages are unpacked in a folder beside: nothing of them is installed.
  mkdir -p "$lab/arm64" "$lab/root/arm64-packages"
  chroot "$lab/root" sh -c 'cd /arm64-packages && for package in $(apt-get install --print-uris -qq --no-install-recommends \
    mesa-vulkan-drivers:arm64 vulkan-tools:arm64 libvulkan1:arm64 libstdc++6:arm64 ocl-icd-libopencl1:arm64 |
    sed "s/^[^ ]* \([^_]*\)_.*/\1/" | sort -u) mesa-drm-shim; do
    apt-get download -qq "$package:arm64" 2>/dev/null || apt-get download -qq "$package" || echo "lab.sh: the mirror has no $package"; done'
  for package in "$lab"/root/arm64-packages/*.deb; do dpkg -x "$package" "$lab/arm64"; done
  rm -rf "$lab/root/arm64-packages"
  [ -e "$lab/arm64/lib" ] || ln -s usr/lib "$lab/arm64/lib"
}

mount_folders() {
  for folder in proc dev; do mountpoint -q "$lab/root/$folder" || mount --bind "/$folder" "$lab/root/$folder"; done
  mkdir -p "$lab/root/p"
  # Another checkout was there the last time.
  if mountpoint -q "$lab/root/p" && ! [ "$lab/root/p" -ef "$project" ]; then umount "$lab/root/p"; fi
  mountpoint -q "$lab/root/p" || mount --bind "$project" "$lab/root/p"
}

case ${1:-} in
  --setup) setup; exit ;;
  --list)
    echo amd:POLARIS10 amd:VEGA10 amd:NAVI21 amd:NAVI31 amd:GFX1201 adreno:630 adreno:740 apple nvk:162 nvk:172 nvk:192 \
      lavapipe pi mali:7402 mali:a867 powervr
    exit ;;
  "" | -*) sed -n 's/^# //p' "$0" | tail -n +2; exit 2 ;;
esac

gpu=$1; shift
shims=/usr/lib/x86_64-linux-gnu drivers=/usr/share/vulkan/icd.d
case $gpu in
  lavapipe) set -- VK_DRIVER_FILES=$drivers/lvp_icd.json "$@" ;;
  amd:*) set -- LD_PRELOAD=$shims/libamdgpu_noop_drm_shim.so AMDGPU_GPU_ID="${gpu#*:}" VK_DRIVER_FILES=$drivers/radeon_icd.json "$@" ;;
  adreno:*) set -- LD_PRELOAD=$shims/libfreedreno_noop_drm_shim.so FD_GPU_ID="${gpu#*:}" VK_DRIVER_FILES=$drivers/freedreno_icd.json "$@" ;;
  apple) set -- LD_PRELOAD=$shims/libasahi_noop_drm_shim.so VK_DRIVER_FILES=$drivers/asahi_icd.json "$@" ;;
  nvk:*) set -- LD_PRELOAD=$shims/libnouveau_noop_drm_shim.so NOUVEAU_CHIPSET="${gpu#*:}" NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1 \
         VK_DRIVER_FILES=$drivers/nouveau_icd.json "$@" ;;
  pi | mali* | powervr)
    case $gpu in pi) shim=v3d driver=broadcom ;; mali*) shim=panfrost driver=panfrost ;; powervr) shim=powervr driver=powervr_mesa ;; esac
    [ "$gpu" = "${gpu#mali:}" ] || set -- -E PAN_GPU_ID="${gpu#mali:}" "$@"
    exec qemu-aarch64-static -L "$lab/arm64" -E LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu \
      -E LD_PRELOAD=/usr/lib/aarch64-linux-gnu/lib${shim}_noop_drm_shim.so \
      -E VK_DRIVER_FILES="$lab/arm64/usr/share/vulkan/icd.d/${driver}_icd.json" -E XDG_RUNTIME_DIR=/tmp \
      -E PAN_I_WANT_A_BROKEN_VULKAN_DRIVER=1 -E PVR_I_WANT_A_BROKEN_VULKAN_DRIVER=1 "$@" ;;
  *) echo "lab.sh: what is '$gpu'?" >&2; exit 2 ;;
esac
mount_folders
exec chroot "$lab/root" env HOME=/tmp XDG_RUNTIME_DIR=/tmp "$@"
