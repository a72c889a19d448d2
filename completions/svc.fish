# Fish completion for svc, printed by `svc completion fish`.
# Put it into ~/.config/fish/completions, or install it with: svc completion fish --install

# Prints the candidates that `svc __complete` prints. Fish quotes them itself.
function __svc_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (command svc __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    switch $line
      case files
        set -l option (string match -r -- '^--[a-z-]+=' "$current")
        for file in (__fish_complete_path (string replace -- "$option" '' "$current"))
          printf '%s%s\n' "$option" $file
        end
      case text
      case '*'
        printf '%s\n' $line
    end
  end
end

complete -c svc -e
complete -c svc -f -a '(__svc_complete)'
