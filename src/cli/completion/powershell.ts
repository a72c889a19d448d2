// The completion script for PowerShell. Values with anything but plain characters are put in single quotes.
import type { CompletionNode, CompletionOption } from './nodes.ts';

export const powershellScript = (nodes: readonly CompletionNode[], globals: CompletionOption[]) =>
  `# Completion of svc for PowerShell, made from its commands by \`npm run docs\`.
# Load it with: svc completion powershell | Out-String | Invoke-Expression
# or install it with: svc completion powershell --install

$script:SvcGlobals = @(${words(globals.map(encoded))})

$script:SvcNodes = @{
${nodes.flatMap(entries).join('\n')}
}

${engine}`;

const entries = ({ path, aliases, children, options, args }: CompletionNode) =>
  [path, ...aliases].map((one, index) =>
    index === 0
      ? `  '${one}' = @{
    children = @(${words(children.map(({ name, summary }) => `${name}\t${summary}`))})
    options = @(${words(options.map(encoded))})
    args = @(${words(args)})
  }`
      : `  '${one}' = '${path}'`,
  );

const encoded = ({ name, source, summary }: CompletionOption) =>
  `${source === undefined ? name : `${name}=${source}`}\t${summary}`;

/** In double quotes where a tab is needed: there a backtick and a t stand for it. */
const words = (all: readonly string[]) =>
  all
    .map((text) =>
      text.includes('\t')
        ? `"${text.replace(/[`$"]/g, '`$&').replaceAll('\t', '`t')}"`
        : `'${text.replaceAll("'", "''")}'`,
    )
    .join(', ');

const engine = `function script:Get-SvcNode([string] $path) {
  $node = $script:SvcNodes[$path]
  if ($node -is [string]) { $node = $script:SvcNodes[$node] }
  return $node
}

# Where the values of an option are; nothing when it takes none.
function script:Get-SvcSource($node, [string] $name) {
  foreach ($one in @($node.options) + $script:SvcGlobals) {
    $entry = ($one -split "\`t", 2)[0]
    if ($entry.StartsWith("$name=")) { return ,$entry.Substring($name.Length + 1) }
  }
}

function script:Get-SvcValues([string] $source, [string[]] $whose) {
  if ($source -eq '' -or $source -eq '@files') { return }
  if ($source.StartsWith('@')) { return & svc __complete $source.Substring(1) @whose 2>$null }
  return $source -split '\\|'
}

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $node = Get-SvcNode ''
  $path = ''
  $option = ''
  $literal = $false
  $positional = @()
  $whose = @()
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    Select-Object -Skip 1 | ForEach-Object { if ($_.Value) { "$($_.Value)" } else { "$_" } })
  foreach ($word in $words) {
    if ($option) {
      if ($option -in '-p', '--profile') { $whose += '--profile', $word }
      if ($option -eq '--base-url') { $whose += '--base-url', $word }
      $option = ''
    } elseif (-not $literal -and $word -eq '--') {
      $literal = $true
    } elseif (-not $literal -and $word -match '^-.') {
      if ($word -match '^(--profile|--base-url)=(.*)$') { $whose += $Matches[1], $Matches[2] }
      elseif ($word -notmatch '=' -and $null -ne (Get-SvcSource $node $word)) { $option = $word }
    } elseif ($positional.Count -eq 0 -and (Get-SvcNode "$path $word".Trim())) {
      $path = "$path $word".Trim()
      $node = Get-SvcNode $path
    } else {
      $positional += $word
    }
  }

  $prefix = ''
  $candidates = @()
  if ($option) {
    $candidates = Get-SvcValues (Get-SvcSource $node $option) $whose
  } elseif (-not $literal -and $wordToComplete -match '^(--[a-z-]+)=') {
    $prefix = $Matches[0]
    $candidates = Get-SvcValues (Get-SvcSource $node $Matches[1]) $whose
  } elseif (-not $literal -and $wordToComplete.StartsWith('-')) {
    $candidates = @($node.options) + $script:SvcGlobals | ForEach-Object {
      if ($_.Contains(':=')) { $_.Replace(':=', '=') } else { $_ -replace '=[^\\t]*', '' }
    }
  } elseif ($node.children.Count -gt 0) {
    if ($positional.Count -eq 0) { $candidates = $node.children }
  } elseif ($node.args.Count -gt 0) {
    $index = $positional.Count
    if ($index -ge $node.args.Count -and $node.args[-1].EndsWith('*')) { $index = $node.args.Count - 1 }
    if ($index -lt $node.args.Count) {
      $source = $node.args[$index].TrimEnd('*')
      if ($source -eq '@steps') { $whose += '--under', $positional[0] }
      $candidates = Get-SvcValues $source $whose
    }
  }
  foreach ($one in $candidates) {
    $value, $tip = "$one" -split "\`t", 2
    $text = "$prefix$value"
    if (-not $text.StartsWith($wordToComplete)) { continue }
    $written = if ($text -match '^[A-Za-z0-9_.:/@=+-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
    if (-not $tip) { $tip = $value }
    [System.Management.Automation.CompletionResult]::new($written, $value, 'ParameterValue', $tip)
  }
}
`;
