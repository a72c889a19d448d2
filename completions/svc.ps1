# PowerShell completion for svc, printed by `svc completion powershell`.
# Load it with: svc completion powershell | Out-String | Invoke-Expression
# or install it with: svc completion powershell --install

# Offers the candidates that `svc __complete` prints. Values with special characters are put in single quotes.
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @('__complete', '--') + @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    Select-Object -Skip 1 | ForEach-Object { if ($_.Value) { "$($_.Value)" } else { "$_" } })
  # PowerShell drops empty arguments of programs. svc prints the same candidates for each word that is no option.
  $words += if ($wordToComplete) { $wordToComplete } else { '_' }
  foreach ($line in @(& svc @words 2>$null)) {
    $value, $tip = "$line" -split "`t", 2
    # Without candidates PowerShell completes the names of files.
    if ($null -eq $tip -or -not $value.StartsWith($wordToComplete)) { continue }
    $written = if ($value -match '^[A-Za-z0-9_.:/@=+-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
    $shown = $value
    if ($wordToComplete -match '^--[a-z-]+=') { $shown = $value -replace '^--[a-z-]+=', '' }
    if (-not $tip) { $tip = $shown }
    [System.Management.Automation.CompletionResult]::new($written, $shown, 'ParameterValue', $tip)
  }
}
