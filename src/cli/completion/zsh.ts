// The completion script for zsh. Values go to compadd, which quotes them; none is evaluated.
import type { CompletionNode, CompletionOption } from './nodes.ts';

export const zshScript = (nodes: readonly CompletionNode[], globals: CompletionOption[]) =>
  `#compdef svc
# Completion of svc for zsh, made from its commands by \`npm run docs\`.
# Put it as _svc into a folder of $fpath, or install it with: svc completion zsh --install

_svc_globals=(
${lines(globals.map(encoded), 2)}
)

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
    `      children=(${words(children.map(({ name, summary }) => `${name}\t${summary}`))})`,
    `      options=(${words(options.map(encoded))})`,
    `      args=(${words(args)}) ;;`,
  ].join('\n');

const encoded = ({ name, source, summary }: CompletionOption) =>
  `${source === undefined ? name : `${name}=${source}`}\t${summary}`;

/** Tabs and quotes written so that the script stays readable. */
const quoted = (text: string) =>
  text.includes('\t')
    ? `$'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\t', '\\t')}'`
    : `'${text}'`;
const words = (all: readonly string[]) => all.map(quoted).join(' ');
const lines = (all: readonly string[], indent: number) =>
  all.map((one) => `${' '.repeat(indent)}${quoted(one)}`).join('\n');

const engine = `# Whether an option takes a value; sets source to where its values are.
_svc_takes() {
  local one
  for one in $options $_svc_globals; do
    one=\${one%%$'\\t'*}
    if [[ $one == "$1="* ]]; then
      source=\${one#"$1="}
      return 0
    fi
  done
  return 1
}

# Offers lines of value and description.
_svc_offer() {
  local -a values shown
  local line
  for line in "$@"; do
    values+=("\${line%%$'\\t'*}")
    if [[ $line == *$'\\t'?* ]]; then
      shown+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}")
    else
      shown+=("\${line%%$'\\t'*}")
    fi
  done
  compadd -l -d shown -a values
}

_svc_offer_from() {
  case "$1" in
    '') _message 'a value' ;;
    @files) _files ;;
    @*) _svc_offer "\${(@f)$(command svc __complete "\${1#@}" $whose 2>/dev/null </dev/null)}" ;;
    *) compadd -- "\${(@s:|:)1}" ;;
  esac
}

_svc() {
  local word node='' option='' literal='' source='' index
  local -a children options args positional whose names
  _svc_node ''
  for ((index = 2; index < CURRENT; index++)); do
    word=\${(Q)words[index]}
    if [[ -n $option ]]; then
      case "$option" in
        -p|--profile) whose+=(--profile "$word") ;;
        --base-url) whose+=(--base-url "$word") ;;
      esac
      option=''
    elif [[ -z $literal && $word == -- ]]; then
      literal=1
    elif [[ -z $literal && $word == -?* ]]; then
      case "$word" in
        --profile=*) whose+=(--profile "\${word#*=}") ;;
        --base-url=*) whose+=(--base-url "\${word#*=}") ;;
        *=*) ;;
        *) _svc_takes "$word" && option=$word ;;
      esac
    elif (( $#positional == 0 )) && _svc_node "\${node:+$node }$word"; then
      node=\${node:+$node }$word
    else
      positional+=("$word")
    fi
  done

  if [[ -n $option ]]; then
    _svc_takes "$option"
    _svc_offer_from "$source"
  elif [[ -z $literal && $PREFIX == --*=* ]]; then
    _svc_takes "\${PREFIX%%=*}" || return 1
    compset -P '*='
    _svc_offer_from "$source"
  elif [[ -z $literal && $PREFIX == -* ]]; then
    for word in $options $_svc_globals; do
      case "$word" in
        *:=*) names+=("\${word/:=/=}") ;;
        *=*) names+=("\${word%%=*}"$'\\t'"\${word#*$'\\t'}") ;;
        *) names+=("$word") ;;
      esac
    done
    _svc_offer "\${names[@]}"
  elif (( $#children > 0 )); then
    (( $#positional == 0 )) && _svc_offer "\${children[@]}"
  else
    index=$(( $#positional + 1 ))
    if (( index > $#args && $#args > 0 )) && [[ \${args[-1]} == *'*' ]]; then
      index=$#args
    fi
    (( index <= $#args )) || return 1
    source=\${args[index]%'*'}
    [[ $source == @steps ]] && whose+=(--under "\${positional[1]}")
    _svc_offer_from "$source"
  fi
}

if (( $+functions[compdef] )); then
  compdef _svc svc
fi
if [[ \${funcstack[1]} == _svc ]]; then
  _svc "$@"
fi
`;
