// The completion script for bash (3.2 and newer). Values are compared and quoted, never expanded: no eval,
// and no `compgen -W`, which would run what a value contains.
import type { CompletionNode, CompletionOption } from './nodes.ts';

export const bashScript = (nodes: readonly CompletionNode[], globals: CompletionOption[]) =>
  `# Completion of svc for bash, made from its commands by \`npm run docs\`.
# Load it with: source <(svc completion bash), or install it with: svc completion bash --install

_svc_globals=(${words(globals.map(encoded))})

# Sets children, options and args of a command; fails when there is none of that name.
_svc_node() {
  case "$1" in
${nodes.map(entry).join('\n')}
    *) return 1 ;;
  esac
}

${engine}`;

const entry = ({ path, aliases, children, options, args }: CompletionNode) =>
  [
    `    ${[path, ...aliases].map((one) => `'${one}'`).join('|')})`,
    `      children=(${children.map(({ name }) => name).join(' ')})`,
    `      options=(${words(options.map(encoded))})`,
    `      args=(${words(args)}) ;;`,
  ].join('\n');

const encoded = ({ name, source }: CompletionOption) =>
  source === undefined ? name : `${name}=${source}`;

const words = (all: readonly string[]) => all.map((one) => `'${one}'`).join(' ');

const engine = `# Whether a word is a redirection; what follows it is a file.
_svc_redirects() {
  case "$1" in
    '<'|'>'|'>>'|'>|'|'<>'|'&>'|'&>>'|[0-9]'>'|[0-9]'>>'|[0-9]'<') return 0 ;;
    *) return 1 ;;
  esac
}

# Whether an option takes a value; sets source to where its values are.
_svc_takes() {
  local one
  for one in "\${options[@]}" "\${_svc_globals[@]}"; do
    if [[ $one == "$1="* ]]; then
      source=\${one#"$1="}
      return 0
    fi
  done
  return 1
}

# Offers those of the candidates that begin with what is typed, written as the shell needs them.
_svc_offer() {
  local one reply typed=$current quoted='' prefix=''
  case "$typed" in
    \\"*|\\'*) typed=\${typed:1} quoted=1 ;;
    *) typed=\${typed//\\\\/} ;;
  esac
  if [[ -z $quoted && $COMP_WORDBREAKS == *[:=]* && $current == *[:=]* ]]; then
    prefix=\${current%"\${current##*[:=]}"}
  fi
  for one in "$@"; do
    [[ $one == "$typed"* ]] || continue
    if [[ -n $quoted ]]; then
      [[ $one == *[!A-Za-z0-9_.:@/+=,-]* ]] && continue
      reply=$one
    else
      printf -v reply %q "$one"
    fi
    COMPREPLY[\${#COMPREPLY[@]}]=\${reply#"$prefix"}
  done
}

_svc_offer_from() {
  local value rest
  local -a values
  values=()
  case "$1" in
    '') ;;
    @files) compopt -o default 2>/dev/null ;;
    @*)
      while IFS=$'\\t' read -r value rest; do
        values[\${#values[@]}]=$value
      done < <(command svc __complete "\${1#@}" "\${whose[@]}" 2>/dev/null </dev/null)
      _svc_offer "\${values[@]}"
      ;;
    *)
      IFS='|' read -r -a values <<<"$1"
      _svc_offer "\${values[@]}"
      ;;
  esac
}

_svc() {
  local line=$COMP_LINE word gap index count=0 current path='' option='' literal='' source=''
  local -a words children options args positional whose names
  words=() positional=() whose=() names=()
  COMPREPLY=()

  # Words that were split at a colon or an equals sign are joined again.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]} gap=''
    while [[ $line == [[:space:]]* ]]; do line=\${line:1} gap=1; done
    line=\${line#"$word"}
    if [[ -z $gap && $count -gt 0 ]]; then
      words[count - 1]=\${words[count - 1]}$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  current=\${words[count - 1]}
  if _svc_redirects "\${words[count - 2]}"; then
    compopt -o default 2>/dev/null
    return
  fi

  _svc_node ''
  for ((index = 1; index < count - 1; index++)); do
    word=\${words[index]}
    if _svc_redirects "$word"; then
      index=$((index + 1))
    elif [[ -n $option ]]; then
      case "$option" in
        -p|--profile) whose=("\${whose[@]}" --profile "$word") ;;
        --base-url) whose=("\${whose[@]}" --base-url "$word") ;;
      esac
      option=''
    elif [[ -z $literal && $word == -- ]]; then
      literal=1
    elif [[ -z $literal && $word == -?* ]]; then
      case "$word" in
        --profile=*) whose=("\${whose[@]}" --profile "\${word#*=}") ;;
        --base-url=*) whose=("\${whose[@]}" --base-url "\${word#*=}") ;;
        *=*) ;;
        *) _svc_takes "$word" && option=$word ;;
      esac
    elif [[ \${#positional[@]} -eq 0 ]] && _svc_node "\${path:+$path }$word"; then
      path=\${path:+$path }$word
    else
      positional[\${#positional[@]}]=$word
    fi
  done

  if [[ -n $option ]]; then
    _svc_takes "$option"
    _svc_offer_from "$source"
  elif [[ -z $literal && $current == --*=* ]]; then
    word=\${current%%=*}
    _svc_takes "$word" || return
    current=\${current#*=}
    _svc_offer_from "$source"
    if [[ $COMP_WORDBREAKS != *=* ]]; then
      COMPREPLY=("\${COMPREPLY[@]/#/$word=}")
    fi
  elif [[ -z $literal && $current == -* ]]; then
    for word in "\${options[@]}" "\${_svc_globals[@]}"; do
      case "$word" in
        *:=*) names[\${#names[@]}]=\${word/:=/=} ;;
        *) names[\${#names[@]}]=\${word%%=*} ;;
      esac
    done
    _svc_offer "\${names[@]}"
  elif [[ \${#children[@]} -gt 0 ]]; then
    [[ \${#positional[@]} -eq 0 ]] && _svc_offer "\${children[@]}"
  else
    index=\${#positional[@]} count=\${#args[@]}
    if [[ $index -ge $count && $count -gt 0 && \${args[count - 1]} == *'*' ]]; then
      index=$((count - 1))
    fi
    [[ $index -lt $count ]] || return
    source=\${args[index]%'*'}
    [[ $source == @steps ]] && whose=("\${whose[@]}" --under "\${positional[0]}")
    _svc_offer_from "$source"
  fi
}

complete -F _svc svc
`;
