# Made by packaging/make_pages.py of `clc2spv --help`.
_clc2spv() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n'
  if [ "$cur" = = ]; then
    cur=""
  elif [ "$prev" = = ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    -o|--device-profile|-MF|--print-to|-include|-imacros) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    --target|-target) mapfile -t COMPREPLY < <(compgen -W "opencl1.2 opencl2.0 opencl2.1 opencl2.2 opencl3.0 opencl3.1 vulkan1.1 vulkan1.2 vulkan1.3" -- "$cur"); return ;;
    --emit) mapfile -t COMPREPLY < <(compgen -W "spv asm c-header cpp-header reflection-json ast" -- "$cur"); return ;;
    --driver|--max-local-memory|--max-work-group-size|--max-private-bytes|--max-storage-buffers|--max-loop-turns|--spec-constant|-MT|-MQ|-cl-ext|-ferror-limit|-fspell-checking-limit) COMPREPLY=(); return ;;
    --initialize-memory) mapfile -t COMPREPLY < <(compgen -W "local private" -- "$cur"); return ;;
    --abi) mapfile -t COMPREPLY < <(compgen -W "addresses descriptors" -- "$cur"); return ;;
    --value-arguments) mapfile -t COMPREPLY < <(compgen -W "push-constants uniform-buffer storage-buffer" -- "$cur"); return ;;
    --images) mapfile -t COMPREPLY < <(compgen -W "memory hardware" -- "$cur"); return ;;
    --storage-formats) mapfile -t COMPREPLY < <(compgen -W "rgba32f rgba16f r32f rgba8 rgba8_snorm rgba32i rgba16i rgba8i r32i rgba32ui rgba16ui rgba8ui r32ui" -- "$cur"); return ;;
    --print-after|--stop-after|--disable-pass) mapfile -t COMPREPLY < <(compgen -W "$(clc2spv --list-passes 2>/dev/null | sed -n 's/^[0-9]* *\([a-z0-9_]*\) .*/\1/p')" -- "$cur"); return ;;
    -fdiagnostics-format) mapfile -t COMPREPLY < <(compgen -W "text clang json json-stderr sarif sarif-stderr" -- "$cur"); return ;;
    -x) mapfile -t COMPREPLY < <(compgen -W "cl spv spvasm" -- "$cur"); return ;;
    -I|-iquote|-isystem|-idirafter) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    -cl-std|-std) mapfile -t COMPREPLY < <(compgen -W "CL1.0 CL1.1 CL1.2 CL2.0 CL3.0 CL3.1" -- "$cur"); return ;;
    -ffp-contract) mapfile -t COMPREPLY < <(compgen -W "off on fast" -- "$cur"); return ;;
    --debug-source) mapfile -t COMPREPLY < <(compgen -W "embed path none" -- "$cur"); return ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "-o --target= -target --emit= -S --annotate --device-profile= --driver= --max-local-memory= --max-work-group-size= --max-private-bytes= --initialize-memory= --max-storage-buffers= --abi= --value-arguments= --module-constants-in-storage-buffer --no-module-constants-in-storage-buffer --images= --storage-formats= --no-fused-fma --emulate-doubles --robust --max-loop-turns= --no-clspv-reflection --validate --spec-constant= -c --create-library --allow-partial-linkage -E -MMD -MM -MD -MF -MT -MQ -MG -MP -M -fsyntax-only -ftime-report -v --lsp --list-passes --print-after= --print-to= --stop-after= --disable-pass= -fcolor-diagnostics -fno-color-diagnostics -fdiagnostics-format= -P -dD -dM -x --help --version -D -U -I -iquote -isystem -idirafter -include -imacros -cl-std= -std= -cl-ext= -cl-single-precision-constant -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable -cl-strict-aliasing -cl-mad-enable -ffp-contract= -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -cl-native-math -cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-kernel-arg-info -C -CC -H -undef -g -g0 -g1 -g2 -g3 -gline-tables-only -gline-directives-only --debug-source= -O -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast -ffast-math -ffinite-math-only -funsafe-math-optimizations -fno-signed-zeros -fno-fast-math -fno-finite-math-only -fno-unsafe-math-optimizations -fsigned-zeros -w -ferror-limit= -fspell-checking-limit= -fdiagnostics-parseable-fixits -pedantic -W" -- "$cur")
    if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X '!*.cl' -- "$cur"; compgen -f -X '!*.spv' -- "$cur"; compgen -f -X '!*.spvasm' -- "$cur"; compgen -d -- "$cur")
  fi
}
complete -F _clc2spv clc2spv
