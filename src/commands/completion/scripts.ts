// The completion scripts of the shells. They call `svc __complete` (src/completion/complete.ts).
import zsh from '../../../completions/_svc?text';
import bash from '../../../completions/svc.bash?text';
import fish from '../../../completions/svc.fish?text';
import powershell from '../../../completions/svc.ps1?text';

export const scripts = { bash, zsh, fish, powershell };
