# Made by packaging/make_pages.py of `spv-check --help`.
_spv_check() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n'
  if [ "$cur" = = ]; then
    cur=""
  elif [ "$prev" = = ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    --device-profile|-o|--output) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --format) COMPREPLY=($(compgen -W "text json sarif" -- "$cur")); return ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "-h --help --version --target --device-profile --format -o --output --max-faults -j --jobs" -- "$cur"))
    if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  else
    compopt -o filenames
    COMPREPLY=($(compgen -f -X '!*.spv' -- "$cur") $(compgen -f -X '!*.spvasm' -- "$cur") $(compgen -d -- "$cur"))
  fi
}
complete -F _spv_check spv-check
