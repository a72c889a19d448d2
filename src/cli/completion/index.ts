// Generates the completion scripts for bash, zsh, fish and PowerShell from the command tree.
import type { CommandTree } from '../command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completionNodes, globalNames } from './nodes.ts';
import { powershellScript } from './powershell.ts';
import { zshScript } from './zsh.ts';

const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

export type Shell = keyof typeof scripts;

/** Generates the completion script for a shell. */
export async function completionScript(shell: Shell, commandTree: CommandTree): Promise<string> {
  return scripts[shell](await completionNodes(commandTree), globalNames());
}
