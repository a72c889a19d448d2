// Renders all generated files and sections: the root help, the README tables and the completion scripts.
import { readFileSync } from 'node:fs';
import { type Command, type Group, isGroup } from '../src/cli/command.ts';
import { completionScript } from '../src/cli/completion/index.ts';
import { rootHelp } from '../src/cli/help/help.ts';
import { commandTree } from '../src/commands/index.ts';
import { exitCodes } from '../src/core/errors.ts';

export interface GeneratedFile {
  file: string;
  text: string;
}

export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [
    { file: 'src/cli/help/root.ts', text: rootHelpModule() },
    { file: 'README.md', text: readme(await commandRows()) },
    ...(await completionFiles()),
  ];
}

function readme(commands: string): string {
  const text = replaceSection(readFileSync('README.md', 'utf8'), 'commands', commands);
  const rows = Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return replaceSection(text, 'exit-codes', rows.join('\n'));
}

/** Returns the scripts that `svc completion` prints. */
const completionFiles = () =>
  Promise.all(
    (
      [
        ['bash', 'svc.bash'],
        ['zsh', '_svc'],
        ['fish', 'svc.fish'],
        ['powershell', 'svc.ps1'],
      ] as const
    ).map(async ([shell, name]) => ({
      file: `completions/${name}`,
      text: await completionScript(shell, commandTree),
    })),
  );

/** Returns the module with the text of `svc --help`. Why: `svc --help` then loads no command. */
function rootHelpModule(): string {
  const escaped = rootHelp(commandTree).replace(/[\\`]|\$\{/g, (found) => `\\${found}`);
  return [
    '// The text of `svc --help`, generated from the command tree by `npm run docs`.',
    `export const rootHelp = \`${escaped}\`;`,
    '',
  ].join('\n');
}

async function commandRows(): Promise<string> {
  const rows = ['| Command | Description |', '|---|---|'];
  for (const [name, lazy] of Object.entries(commandTree))
    rows.push(...rowsOf([name], await lazy.load()));
  return rows.join('\n');
}

function rowsOf(path: readonly string[], node: Group | Command): string[] {
  if (isGroup(node)) {
    return Object.entries(node.commands).flatMap(([name, child]) => rowsOf([...path, name], child));
  }
  if (node.hidden) return [];
  const args = Object.values(node.arguments ?? {}).map(({ syntax }) =>
    syntax.replaceAll('|', '\\|'),
  );
  return [`| \`${['svc', ...path, ...args].join(' ')}\` | ${node.summary} |`];
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function replaceSection(text: string, name: string, replacement: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`README.md has no section ${name}`);
  return text.replace(pattern, (_whole, before, after) => `${before}${replacement}\n${after}`);
}
