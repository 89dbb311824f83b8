# Made by packaging/make_pages.py of `spv-check --help`.
_spv_check() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n'
  if [ "$cur" = = ]; then
    cur=""
  elif [ "$prev" = = ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    --target|--max-faults|-j|--jobs) COMPREPLY=(); return ;;
    --device-profile|-o|--output) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    --format) mapfile -t COMPREPLY < <(compgen -W "text json sarif" -- "$cur"); return ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "-h --help --version --target --device-profile --format -o --output --max-faults -j --jobs" -- "$cur")
    if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X '!*.spv' -- "$cur"; compgen -f -X '!*.spvasm' -- "$cur"; compgen -d -- "$cur")
  fi
}
complete -F _spv_check spv-check
