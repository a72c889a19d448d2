# Bash completion for svc, printed by `svc completion bash`. It works in bash 3.2 and later.
# Load it with: source <(svc completion bash), or install it with: svc completion bash --install

# Offers the candidates that `svc __complete` prints. They are compared and quoted, never expanded: the function uses
# neither eval nor `compgen -W`, which would execute code in a value.
_svc() {
  local line=$COMP_LINE word gap index count=0 operator='' file='' breaks typed quoted='' prefix='' value reply
  local -a words arguments
  words=() arguments=()
  COMPREPLY=()

  # Joins words that bash split at a colon or an equals sign.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]} gap=''
    while [[ $line == [[:space:]]* ]]; do line=${line:1} gap=1; done
    line=${line#"$word"}
    if [[ -z $gap && $count -gt 0 ]]; then
      words[count - 1]=${words[count - 1]}$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done

  # Leaves out redirections: the word after an operator is a file.
  for word in "${words[@]:1}"; do
    file=$operator operator=''
    case "$file$word" in
      '<'|'>'|'>>'|'>|'|'<>'|'&>'|'&>>'|[0-9]'>'|[0-9]'>>'|[0-9]'<') operator=1 ;;
    esac
    [[ -n $file$operator ]] || arguments+=("$word")
  done
  [[ -n $file ]] && compopt -o default 2>/dev/null
  [[ -n $file$operator ]] && return

  # Bash replaces only what follows the last colon or equals sign before a quote.
  breaks=${COMP_WORDBREAKS//[!:=]/} typed=${word%%[\"\']*}
  [[ -n $breaks && $typed == *[$breaks]* ]] && prefix=${typed%"${typed##*[$breaks]}"}
  typed=${word#"$prefix"}
  case "$typed" in
    [\"\']*) typed=$prefix${typed:1} quoted=1 ;;
    *) typed=${word//\\/} ;;
  esac
  while IFS= read -r line; do
    value=${line%%$'\t'*}
    [[ $line == files ]] && compopt -o default 2>/dev/null
    [[ $line == *$'\t'* && $value == "$typed"* ]] || continue
    printf -v reply %q "$value"
    if [[ -n $quoted ]]; then
      [[ $value == *[!A-Za-z0-9_.:@/+=,-]* ]] && continue
      reply=$value
    fi
    COMPREPLY+=("${reply#"$prefix"}")
  done < <(command svc __complete -- "${arguments[@]}" 2>/dev/null </dev/null)
}

complete -F _svc svc
