// Checks the rules of src/README.md: allowed imports, one file per library, use of the process, file sizes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { layers } from './support/layers.ts';

interface Source {
  file: string;
  text: string;
  imports: { from: string; typeOnly: boolean; dynamic: boolean }[];
}

const sources: Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => {
    const file = name.split(path.sep).join('/');
    const text = readFileSync(path.join('src', file), 'utf8');
    return { file, text, imports: readImports(file, text) };
  });

function readImports(file: string, text: string): Source['imports'] {
  const statements = text.matchAll(
    /(?:^|\n)\s*(?:import|export)( type)? (?:[^'";]*? from )?'([^']+)'|import\(\s*'([^']+)'\s*\)/g,
  );
  return [...statements].map(([, type, fixed, dynamic]) => {
    const from = fixed ?? dynamic ?? '';
    const resolved = from.startsWith('.')
      ? path.posix.normalize(path.posix.join(path.posix.dirname(file), from))
      : from;
    return { from: resolved, typeOnly: type !== undefined, dynamic: dynamic !== undefined };
  });
}

const topFolder = (file: string) => /^(.*?)\//.exec(file)?.[1] ?? '';

it('a layer imports only the layers below it, and a command noun imports no other noun', () => {
  const commandNoun = (file: string) => /^commands\/(?!shared\/)([^/]+)\//.exec(file)?.[1];
  const broken = sources.flatMap(({ file, imports }) => {
    const own = topFolder(file);
    const rules = layers[own];
    if (rules === undefined) return [];
    const more = Object.entries(layers).flatMap(([part, allowed]) =>
      part.includes('/') && file.startsWith(part) ? allowed : [],
    );
    const isAllowed = ({ from, typeOnly }: Source['imports'][number]) =>
      [...rules, ...more].some((rule) =>
        rule.startsWith('type ')
          ? typeOnly && from.startsWith(rule.slice(5))
          : from.startsWith(rule),
      );
    const isOther = (from: string) =>
      commandNoun(file) !== undefined &&
      commandNoun(from) !== undefined &&
      commandNoun(from) !== commandNoun(file);
    return imports
      .filter((source) => /\.tsx?$/.test(source.from))
      .filter((source) =>
        topFolder(source.from) === own ? isOther(source.from) : !isAllowed(source),
      )
      .map(({ from }) => `${file} → ${from}`);
  });
  expect(broken).toEqual([]);
  const folders = new Set(sources.map(({ file }) => topFolder(file)));
  expect([...folders].filter((folder) => !layers[folder]).sort()).toEqual(['', 'app']);
});

it('a file in commands/shared has users in at least two nouns', () => {
  const findNouns = (target: string, visited = new Set<string>()): string[] =>
    sources
      .filter(({ file, imports }) => {
        if (visited.has(file) || !imports.some(({ from }) => from === target)) return false;
        visited.add(file);
        return true;
      })
      .flatMap(({ file }) => {
        const [folder = '', noun = ''] = file.split('/');
        if (folder !== 'commands') return [folder];
        return noun === 'shared' ? findNouns(file, visited) : [noun];
      });
  const shared = sources
    .map(({ file }) => file)
    .filter((file) => file.startsWith('commands/shared/'));
  expect(shared.filter((file) => new Set(findNouns(file)).size < 2)).toEqual([]);
});

it('the model and the router alone compare versions of the service', () => {
  const compares = /\b(isAtLeast|existsIn)\(|dialect\.service [!=]=/;
  const files = sources.filter(({ text }) => compares.test(text)).map(({ file }) => file);
  const model = ['rules/checked.ts', 'rules/rules.ts', 'servers.ts', 'versions.ts'];
  const expected = [
    'sandbox/app.ts',
    'sandbox/http/validate.ts',
    ...model.map((file) => `service/${file}`),
  ];
  expect(files.sort()).toEqual(expected);
});

it('each library is imported by one file', () => {
  const libraries = {
    '@inquirer/prompts': 'input/prompt-library.ts',
    '@modelcontextprotocol/sdk/server/index.js': 'mcp/serve.ts',
    ajv: 'service/payload-schema.ts',
    chalk: 'output/style.ts',
    'cli-table3': 'output/table.ts',
    commander: 'cli/parser.ts',
    conf: 'config/store.ts',
    croner: 'service/waits.ts',
    'libphonenumber-js/min': 'input/phone-numbers.ts',
    jose: 'sandbox/inbox/session-token.ts',
    'json-logic-js': 'sandbox/engine/conditions.ts',
    liquidjs: 'sandbox/templates/liquid.ts',
    'lossless-json': 'core/lossless-json-parser.ts',
    'node-sqlite3-wasm': 'sandbox/store/wasm-driver.ts',
    'socket.io': 'sandbox/inbox/socket.ts',
    undici: 'api/transport/undici.ts',
    yaml: 'core/yaml.ts',
  };
  const importing = Object.keys(libraries).map((library) => [
    library,
    sources
      .filter(({ imports }) => imports.some(({ from }) => from === library))
      .map(({ file }) => file)
      .join(),
  ]);
  expect(Object.fromEntries(importing)).toEqual(libraries);
});

it('only the platform and the sandbox server use the time, randomness and the process', () => {
  const outside = [
    'svc.ts',
    'platform/compile-cache.ts',
    'platform/home-folder.ts',
    'platform/process-identity.ts',
    'platform/process-host.ts',
    'platform/process-output.ts',
    'platform/read-keys.ts',
    'platform/run-child.ts',
    'sandbox/open-sandbox.ts',
    'sandbox/server.ts',
    'sandbox/store/driver.ts',
  ];
  const touching =
    /\bprocess\.|\bconsole\.|Date\.now\(|Math\.random\(|\bset(Timeout|Interval|Immediate)\(/;
  const broken = sources.filter(({ file, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    // svc.ts calls process.exit once, after an error in a callback.
    const exits = text.split('process.exit(').length - 1 - (file === 'svc.ts' ? 1 : 0);
    const isHidden = /@ts-(ignore|nocheck|expect-error)|\bas any\b/.test(text);
    return exits > 0 || isHidden || (!outside.includes(file) && touching.test(code));
  });
  expect(broken.map(({ file }) => file)).toEqual([]);
});

it('only the platform renames and links files', () => {
  const broken = sources.filter(({ file, text }) => {
    const imported = [...text.matchAll(/import ([^;]*?) from 'node:fs(?:\/promises)?'/g)];
    const isMove = ([, names = '']: string[]) =>
      !names.startsWith('{') || /\b(?:rename|link)(?:Sync)?\b/.test(names);
    return !file.startsWith('platform/') && imported.some(isMove);
  });
  expect(broken.map(({ file }) => file)).toEqual([]);
});

/**
 * Folders whose subfolders are layers, the lowest first, with the number of pairs that may import each other and of
 * imports that may go to a higher layer. Imports of types count.
 */
const layered: readonly [root: string, order: readonly string[], pairs: number, back: number][] = [
  ['bulk', ['engine', 'journal', 'operations', 'command'], 0, 0],
  [
    'sandbox',
    [
      ...['store', 'http', 'templates', 'engine', 'bridge'],
      ...['state', 'api', 'control', 'inbox', 'page'],
    ],
    0,
    0,
  ],
];

it.each(layered)('the folders in %s import each other in one direction', (root, order, ...most) => {
  const subfolder = (file: string) => new RegExp(`^${root}/([^/]+)/`).exec(file)?.[1];
  const arrows = new Set<string>();
  for (const { file, imports } of sources)
    for (const { from } of imports) {
      const [own, other] = [subfolder(file), subfolder(from)];
      if (own && other && own !== other) arrows.add(`${own} → ${other}`);
    }
  const imported = [...arrows].map((arrow) => arrow.split(' → '));
  const pairs = imported.filter(([own = '', other = '']) => {
    return own < other && arrows.has(`${other} → ${own}`);
  });
  const back = imported.filter(
    ([own = '', other = '']) => order.indexOf(own) < order.indexOf(other),
  );
  const [mostPairs, mostBack] = most;
  expect(pairs.length > mostPairs ? pairs : []).toEqual([]);
  expect(back.length > mostBack ? back : []).toEqual([]);
  const folders = new Set(sources.flatMap(({ file }) => subfolder(file) ?? []));
  expect([...folders].sort()).toEqual([...order].sort());
});

it('six files of the sandbox name its mode; the others use members of a dialect, each of which is used', () => {
  const isDialect = (file: string) => file === 'sandbox/store/dialect.ts';
  const others = sources.filter(({ file }) => !isDialect(file));
  const naming = others.filter(
    ({ file, text }) =>
      file.startsWith('sandbox/') &&
      /'specification'|\bdialect(\(\))?\.mode\b|\{[^}]*\bmode\b[^}]*\}: Dialect/.test(text),
  );
  expect(naming.map(({ file }) => file).sort()).toEqual([
    'sandbox/app.ts',
    'sandbox/control/sandbox-routes.ts',
    'sandbox/server.ts',
    'sandbox/state/export-state.ts',
    'sandbox/state/validation-errors.ts',
    'sandbox/store/open.ts',
  ]);
  const declaration = sources.find(({ file }) => isDialect(file))?.text;
  const members = [...(declaration ?? '').matchAll(/readonly (\w+):/g)].map(([, name]) => name);
  expect(members).toContain('isSkipToRun');
  const isUsed = (name: string | undefined) =>
    others.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
  expect(members.filter((name) => !isUsed(name))).toEqual([]);
});

it('files have at most 400 lines and are in folders', () => {
  const isLoose = (file: string) =>
    !file.includes('/') || (/^commands\/[^/]+\.ts$/.test(file) && file !== 'commands/index.ts');
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ file: name, text: readFileSync(path.join('test', name), 'utf8') }));
  const isLong = ({ text }: { text: string }) => text.trimEnd().split('\n').length > 400;
  expect([...sources, ...tests].filter(isLong).map(({ file }) => file)).toEqual([]);
  expect(sources.map(({ file }) => file).filter(isLoose)).toEqual(['svc.ts']);
});

it('the lists of channels, the limits and the identifiers of the service are in its model', () => {
  const channel = "'(in_app|email|sms|chat|push)'";
  const list = new RegExp(`\\[\\s*${channel},\\s*${channel}`);
  const limit = /\bmax(Events|Recipients|Contexts|Environments|Workflows|Tags)\w* = \d/;
  const comparison = /\b(name|description|tags?|steps)\.length >=? \d{2}/;
  const slug = /\[a-z0-9\]\+\((\?:)?-\[a-z0-9\]\+\)/;
  const stating = sources.filter(
    ({ file, text }) =>
      !file.startsWith('service/') &&
      [list, limit, comparison, slug].some((pattern) => pattern.test(text)),
  );
  expect(stating.map(({ file }) => file)).toEqual([]);
});

it('a command group loads no large library', () => {
  const heavy = /^(commander|undici|zod|chalk|cli-table3|conf$|yaml|hono|@inquirer)/;
  const loaded = (file: string, visited: Set<string>): Set<string> => {
    if (visited.has(file)) return visited;
    visited.add(file);
    const imports = sources.find((source) => source.file === file)?.imports ?? [];
    for (const { from, ...how } of imports)
      if (!how.typeOnly && !how.dynamic) loaded(from, visited);
    return visited;
  };
  const groups = sources.filter(({ file }) => /^commands\/[^/]+\/index\.ts$/.test(file));
  expect(groups.length).toBeGreaterThan(10);
  const broken = ({ file }: Source) =>
    [...loaded(file, new Set())].filter((name) => heavy.test(name));
  expect(groups.flatMap(broken)).toEqual([]);
});
