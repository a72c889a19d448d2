// Holds the rules of src/README.md: who may import whom, one file for each library, sizes, forbidden words.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Source {
  file: string;
  text: string;
  imports: { from: string; typeOnly: boolean }[];
}

const sources: Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const file = name.split(path.sep).join('/');
    const text = readFileSync(path.join('src', file), 'utf8');
    return { file, text, imports: importsOf(file, text) };
  });

function importsOf(file: string, text: string) {
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(import|export)( type)? (?:[^'";]*? from )?'([^']+)'|import\('([^']+)'\)/g,
    ),
  ];
  return found.map(([, , type, fixed, dynamic]) => {
    const from = fixed ?? dynamic ?? '';
    const resolved = from.startsWith('.')
      ? path.posix.normalize(path.posix.join(path.posix.dirname(file), from))
      : from;
    return { from: resolved, typeOnly: type !== undefined };
  });
}

const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

/** What each folder may import besides itself, libraries and node: by prefix; `type ` means types alone. */
const allowed: Record<string, readonly string[]> = {
  api: ['errors.ts', 'exact-', 'nesting.ts'],
  output: ['errors.ts', 'exact-', 'type api/wire-event.ts', 'type api/dry-run.ts'],
  input: ['errors.ts', 'exact-'],
  config: ['errors.ts', 'durations.ts'],
  runs: ['errors.ts', 'blanks.ts', 'exact-', 'api/', 'type input/', 'input/records.ts'],
  cli: [
    'errors.ts',
    'blanks.ts',
    'durations.ts',
    'type api/',
    'type context.ts',
    'type output/',
    'output/formats.ts',
    'type commands/',
  ],
  commands: [
    'errors.ts',
    'durations.ts',
    'remedies.ts',
    'exact-numbers.ts',
    'api/schemas/providers.ts',
    'api/schemas/vocabulary.ts',
    'cli/command.ts',
    'cli/options.ts',
    'cli/completion/index.ts',
    'type context.ts',
    'type api/',
    'output/result.ts',
    'output/progress',
    'output/safe-text.ts',
    'output/mask.ts',
    'type output/',
    'input/',
    'runs/',
    'type config/',
    'type world.ts',
  ],
  sandbox: [
    'errors.ts',
    'process-origin.ts',
    'api/operation.ts',
    'api/operations/',
    'api/schemas/',
  ],
};

describe('who imports whom', () => {
  const folders = sources.filter(({ file }) => folderOf(file) in allowed);
  it.each(folders.map(({ file, imports }) => [file, imports] as const))('%s', (file, imports) => {
    const own = folderOf(file);
    const rules = allowed[own] ?? [];
    const broken = imports
      .filter(({ from }) => from.endsWith('.ts') && folderOf(from) !== own)
      .filter(
        ({ from, typeOnly }) =>
          !rules.some((rule) =>
            rule.startsWith('type ')
              ? typeOnly && from.startsWith(rule.slice(5))
              : from.startsWith(rule),
          ),
      );
    expect(broken).toEqual([]);
  });

  it('no noun of the commands imports another', () => {
    const nounOf = (file: string) => (file.split('/').length > 2 ? file.split('/')[1] : undefined);
    const broken = sources
      .filter(({ file }) => file.startsWith('commands/') && nounOf(file) !== undefined)
      .flatMap(({ file, imports }) =>
        imports
          .filter(
            ({ from }) =>
              from.startsWith('commands/') &&
              nounOf(from) !== undefined &&
              nounOf(from) !== nounOf(file),
          )
          .map(({ from }) => `${file} → ${from}`),
      );
    expect(broken).toEqual([]);
  });
});

describe('one file knows each library', () => {
  it.each([
    ['commander', ['cli/program.ts']],
    ['undici', ['api/undici-transport.ts']],
    ['@inquirer/prompts', ['input/prompts.ts']],
    ['chalk', ['output/style.ts']],
    ['cli-table3', ['output/table.ts']],
    ['conf', ['config/store.ts']],
    ['lossless-json', ['exact-json.ts']],
    ['liquidjs', ['sandbox/engine/content.ts']],
    ['ajv', ['sandbox/engine/payload-schema.ts']],
    ['croner', ['sandbox/engine/timing.ts']],
    ['node-sqlite3-wasm', ['sandbox/store/wasm-driver.ts']],
    ['json-logic-js', ['sandbox/engine/conditions.ts']],
  ])('%s', (library, files) => {
    const importing = sources
      .filter(({ imports }) => imports.some(({ from }) => from === library))
      .map(({ file }) => file);
    expect(importing).toEqual(files);
  });
});

describe('the outside', () => {
  const composing = [
    'svc.ts',
    'process-origin.ts',
    'process-world.ts',
    'process-sink.ts',
    'sandbox/server.ts',
    'sandbox/store/driver.ts',
  ];
  it.each(
    sources.filter(({ file }) => !composing.includes(file)).map(({ file, text }) => [file, text]),
  )('%s takes time, chance and process as arguments', (_file, text) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(code).not.toMatch(
      /\bprocess\.|\bconsole\.|Date\.now\(|Math\.random\(|\bset(Timeout|Interval|Immediate)\(/,
    );
  });

  it.each(sources.map(({ file, text }) => [file, text]))(
    '%s neither exits nor hides from the types',
    (file, text) => {
      // Once, for what is left half done when a callback throws.
      const exits = text.split('process.exit(').length - 1;
      expect(exits).toBe(file === 'svc.ts' ? 1 : 0);
      expect(text).not.toMatch(/@ts-(ignore|nocheck|expect-error)|\bas any\b/);
    },
  );
});

describe('the size of a room', () => {
  it.each(sources.map(({ file, text }) => [file, text.split('\n').length]))(
    '%s (%i lines)',
    (_file, lines) => {
      expect(lines).toBeLessThanOrEqual(250);
    },
  );

  it.each(sources.map(({ file, text }) => [file, text]))(
    '%s says in its head what it is for',
    (_file, text) => {
      expect(text).toMatch(/^\/\/ \S/);
    },
  );
});

describe('a command loads nothing heavy', () => {
  const heavy = /^(commander|undici|zod|chalk|cli-table3|conf|yaml|hono|@inquirer|csv-)/;
  const statics = (file: string, met = new Set<string>()): Set<string> => {
    if (met.has(file)) return met;
    met.add(file);
    const source = sources.find((one) => one.file === file);
    const text = source?.text ?? '';
    for (const { from, typeOnly } of source?.imports ?? []) {
      const isDynamic =
        text.includes(`import('${from}')`) ||
        !new RegExp(`from '[^']*${path.posix.basename(from)}'`).test(text);
      if (!typeOnly && !isDynamic) statics(from, met);
    }
    return met;
  };
  const groups = sources.filter(({ file }) => /^commands\/[^/]+\/index\.ts$/.test(file));
  it.each(groups.map(({ file }) => [file]))('%s', (file) => {
    expect([...statics(file)].filter((name) => heavy.test(name))).toEqual([]);
  });
});
