# Made by packaging/make_pages.py of `clrun --help`.
_clrun() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n'
  if [ "$cur" = = ]; then
    cur=""
  elif [ "$prev" = = ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    --kernel|--global|--local|--offset|--arg|--print|--save|--repeat|--device|-D|--options|--disable-pass|--device-queue|--check|--max-loop-turns) COMPREPLY=(); return ;;
    -I) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    --abi) mapfile -t COMPREPLY < <(compgen -W "addresses descriptors" -- "$cur"); return ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "-h --help --version --kernel --global --local --offset --arg --print --save --repeat --device -D -I --options --disable-pass --device-queue --abi --check --robust --max-loop-turns --validation --list-devices" -- "$cur")
    if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X '!*.cl' -- "$cur"; compgen -f -X '!*.spv' -- "$cur"; compgen -d -- "$cur")
  fi
}
complete -F _clrun clrun
