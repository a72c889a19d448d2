// Renders all generated files and sections: the root help, the list of commands, the commands for completion, the table
// of exit codes and the list of man pages in package.json.
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { type Command, type Group, isGroup } from '../src/cli/command.ts';
import { rootHelp } from '../src/cli/help/help.ts';
import { commandTree } from '../src/commands/index.ts';
import { exitCodes } from '../src/core/errors.ts';
import { controlPath } from '../src/sandbox/control/client.ts';
import { specifiedIds } from '../src/service/operations/index.ts';
import { startSandbox } from '../src/testing/index.ts';
import { commandsPage } from './commands-page.ts';
import { completionCommands } from './completion-commands.ts';
import { manualPages } from './manual-pages.ts';
import { missingRoutes } from './missing-routes.ts';
import { schemaTypes } from './schema-types.ts';
import { skillPage } from './skill-page.ts';

export interface GeneratedFile {
  file: string;
  text: string;
}

export async function generatedFiles(): Promise<GeneratedFile[]> {
  const document = await controlDocument();
  return [
    { file: 'docs/sandbox-api.yaml', text: openApiFile(document) },
    { file: 'src/cli/help/control-routes.ts', text: controlRoutesModule(document) },
    { file: 'src/cli/help/root.ts', text: rootHelpModule() },
    { file: 'src/config/selected-by.ts', text: await selectedByModule() },
    { file: 'src/testing/schema-types.ts', text: schemaTypes() },
    { file: 'package.json', text: await packageManifest() },
    { file: 'docs/commands.md', text: await commandsPage(commandTree) },
    { file: 'skills/svc/SKILL.md', text: await skillPage(commandTree) },
    {
      file: 'docs/ci.md',
      text: withTable('docs/ci.md', 'exit-codes', [
        ['Code', 'Meaning'],
        ...Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
      ]),
    },
    {
      file: 'docs/compatibility.md',
      text: withTable('docs/compatibility.md', 'routes', await missingRoutes()),
    },
    { file: 'src/completion/commands.tsv', text: await completionCommands(commandTree) },
  ];
}

/** npm links only the man pages that are listed, unless the package comes from a registry. */
async function packageManifest(): Promise<string> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const pages = await manualPages(commandTree, {
    version: manifest.version,
    specified: specifiedIds,
  });
  const man = pages.map(({ file }) => `man/${file}`).sort();
  return `${JSON.stringify({ ...manifest, man }, undefined, 2)}\n`;
}

/** Replaces the table between `<!-- name -->` and `<!-- /name -->`. */
function withTable(file: string, name: string, rows: readonly (readonly string[])[]): string {
  const [header = [], ...others] = rows;
  const table = [header, header.map(() => '---'), ...others].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return readFileSync(file, 'utf8').replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
    // A comment without an empty line around it would end the table.
    (_whole, before, after) => `${before}\n${table.join('\n')}\n\n${after}`,
  );
}

/** Returns the module with the text of `svc --help`. Why: `svc --help` then loads no command. */
function rootHelpModule(): string {
  const escaped = rootHelp(commandTree).replace(/[\\`]|\$\{/g, (character) => `\\${character}`);
  return [
    '// The text of `svc --help`, generated from the command tree by `npm run docs`.',
    `export const rootHelp = \`${escaped}\`;`,
    '',
  ].join('\n');
}

interface ControlDocument {
  paths: Record<string, Record<string, { summary: string }>>;
}

/** Returns the module with `selectedBy` of all commands, so that a proposed command line loads no command. */
async function selectedByModule(): Promise<string> {
  const choiceOf = ({ selectedBy, offline }: Command) =>
    selectedBy ?? (offline ? 'nothing' : undefined);
  const listChoices = (node: Group | Command): ReturnType<typeof choiceOf>[] =>
    isGroup(node) ? Object.values(node.commands).flatMap(listChoices) : [choiceOf(node)];
  const rows = (name: string, node: Group | Command): [string, string][] => {
    const [first, ...others] = new Set(listChoices(node));
    if (others.length === 0) return first === undefined ? [] : [[name, first]];
    if (!isGroup(node)) return [];
    return Object.entries(node.commands).flatMap(([verb, child]) => rows(`${name} ${verb}`, child));
  };
  const loaded = await Promise.all(
    Object.entries(commandTree).map(async ([name, { load }]) => rows(name, await load())),
  );
  return [
    '// The options that select the service in a proposed command line, for commands that do not use all of them. Generated',
    '// from the commands by `npm run docs`.',
    "import type { Command } from '../cli/command.ts';",
    '',
    "export const selectedBy: Record<string, NonNullable<Command['selectedBy']>> = {",
    "  help: 'nothing',",
    ...loaded
      .flat()
      .map(([name, choice]) => `  ${name.includes(' ') ? `'${name}'` : name}: '${choice}',`),
    '};',
    '',
  ].join('\n');
}

/** The OpenAPI document of the control routes, from a sandbox. */
async function controlDocument(): Promise<ControlDocument> {
  const { fetch, key, stop } = await startSandbox({ listen: false });
  const headers = { authorization: `ApiKey ${key}` };
  const response = await fetch(`${controlPath}/openapi.json`, { headers });
  const document = (await response.json()) as ControlDocument;
  await stop();
  return document;
}

const openApiFile = (document: ControlDocument): string =>
  `# Generated from the routes of the sandbox by \`npm run docs\`.\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`;

/** Returns the module with the control routes for `svc help sandbox-api`, so that the help loads no sandbox. */
function controlRoutesModule({ paths }: ControlDocument): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => {
      const row = `  ['${method.toUpperCase()} ${path}', '${summary}'],`;
      // As the formatter breaks a line that is too long.
      return row.length <= 100
        ? row
        : `  [\n    '${method.toUpperCase()} ${path}',\n    '${summary}',\n  ],`;
    }),
  );
  return [
    '// The control routes of the sandbox with their summaries, generated by `npm run docs`.',
    'export const controlRoutes: readonly (readonly [route: string, summary: string])[] = [',
    ...rows,
    '];',
    '',
  ].join('\n');
}
