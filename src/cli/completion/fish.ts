// The completion script for fish. Values are lines of a command's output, which fish quotes itself.
import type { CompletionNode, CompletionOption } from './nodes.ts';

export const fishScript = (nodes: readonly CompletionNode[], globals: CompletionOption[]) =>
  `# Completion of svc for fish, made from its commands by \`npm run docs\`.
# Put it into ~/.config/fish/completions, or install it with: svc completion fish --install

function __svc_globals
  printf '%s\\n' ${words(globals.map(encoded))}
end

# Prints children, options or args of a command; fails when there is none of that name.
function __svc_node
  switch "$argv[2]"
${nodes.map(entry).join('\n')}
    case '*'
      return 1
  end
  return 0
end

${engine}`;

function entry({ path, aliases, children, options, args }: CompletionNode): string {
  const part = (name: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`      test $argv[1] = ${name}; and printf '%s\\n' ${words(all)}`];
  return [
    `    case ${[path, ...aliases].map((one) => `'${one}'`).join(' ')}`,
    ...part(
      'children',
      children.map(({ name, summary }) => `${name}\t${summary}`),
    ),
    ...part('options', options.map(encoded)),
    ...part(
      'args',
      args.map((one) => (one === '' ? '-' : one)),
    ),
  ].join('\n');
}

const encoded = ({ name, source, summary }: CompletionOption) =>
  `${source === undefined ? name : `${name}=${source}`}\t${summary}`;

const words = (all: readonly string[]) =>
  all
    .map((text) =>
      text
        .split('\t')
        .map((part) => `'${part.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
        .join('\\t'),
    )
    .join(' ');

const engine = `# Where the values of an option are; fails when it takes none.
function __svc_takes
  for one in (__svc_node options "$argv[1]") (__svc_globals)
    set -l entry (string split -m 1 \\t -- $one)[1]
    if string match -q -- "$argv[2]=*" $entry
      string replace -- "$argv[2]=" '' $entry
      return 0
    end
  end
  return 1
end

function __svc_values
  switch "$argv[1]"
    case '' -
    case '@files'
      __fish_complete_path "$argv[2]"
    case '@*'
      command svc __complete (string sub -s 2 -- $argv[1]) $argv[3..-1] 2>/dev/null </dev/null
    case '*'
      string split '|' -- $argv[1]
  end
end

function __svc_complete
  set -l node ''
  set -l option ''
  set -l literal
  set -l positional
  set -l whose
  set -l current (commandline -ct)
  set -l before (commandline -opc)
  for word in $before[2..-1]
    if test -n "$option"
      switch $option
        case -p --profile
          set whose $whose --profile "$word"
        case --base-url
          set whose $whose --base-url "$word"
      end
      set option ''
    else if test -z "$literal" -a "$word" = --
      set literal 1
    else if test -z "$literal"; and string match -q -- '-?*' "$word"
      switch "$word"
        case '--profile=*'
          set whose $whose --profile (string replace -- '--profile=' '' "$word")
        case '--base-url=*'
          set whose $whose --base-url (string replace -- '--base-url=' '' "$word")
        case '*=*'
        case '*'
          __svc_takes "$node" "$word" >/dev/null; and set option "$word"
      end
    else if test (count $positional) -eq 0; and __svc_node none (string trim -- "$node $word")
      set node (string trim -- "$node $word")
    else
      set positional $positional "$word"
    end
  end

  if test -n "$option"
    __svc_values (__svc_takes "$node" "$option") "$current" $whose
  else if test -z "$literal"; and string match -qr -- '^--[a-z-]+=' "$current"
    set -l name (string split -m 1 = -- "$current")
    set -l source (__svc_takes "$node" $name[1]); or return
    for value in (__svc_values "$source" "$name[2]" $whose)
      printf '%s=%s\\n' $name[1] $value
    end
  else if test -z "$literal"; and string match -q -- '-*' "$current"
    for one in (__svc_node options "$node") (__svc_globals)
      switch $one
        case '*:=*'
          string replace -- ':=' '=' $one
        case '*'
          string replace -r -- '=[^\\t]*' '' $one
      end
    end
  else
    set -l children (__svc_node children "$node")
    if test (count $children) -gt 0
      test (count $positional) -eq 0; and printf '%s\\n' $children
      return
    end
    set -l args (__svc_node args "$node")
    set -l index (math (count $positional) + 1)
    if test $index -gt (count $args) -a (count $args) -gt 0; and string match -q -- '*\\*' $args[-1]
      set index (count $args)
    end
    test $index -le (count $args); or return
    set -l source (string replace -r -- '\\*$' '' $args[$index])
    test "$source" = @steps; and set whose $whose --under "$positional[1]"
    __svc_values "$source" "$current" $whose
  end
end

complete -c svc -e
complete -c svc -f -a '(__svc_complete)'
`;
