// The files of this machine that have the id of a person, in every form in which svc writes ids.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLocalFiles } from '../../../src/commands/subscribers/local-files.ts';
import { errorMessage } from '../../../src/core/errors.ts';

/** Writes files below a new folder; `search` returns the found ones with paths below it, and `unread` has the others. */
function openFolder(files: Record<string, string | Buffer>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-local-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  const env = {
    SVC_STATE_DIR: path.join(folder, 'state'),
    SVC_CACHE_DIR: path.join(folder, 'cache'),
    SVC_CONFIG_DIR: path.join(folder, 'config'),
  };
  const machine = { env, platform: 'linux' as const, home: folder, cwd: folder };
  const unread: [string, string][] = [];
  const search = async (ids: readonly string[], rejects: readonly string[] = []) => {
    const outside = rejects.map((name) => path.join(folder, name));
    const found = await findLocalFiles(machine, ids, outside, (file, error) =>
      unread.push([path.relative(folder, file), errorMessage(error)]),
    );
    return found.map((file) => ({ ...file, path: path.relative(folder, file.path) }));
  };
  const has = async (id: string) => (await search([id])).length > 0;
  return { folder, search, has, unread };
}

/** Whether an id is found in a file with this content. */
const isFound = (id: string, content: string | Buffer) =>
  openFolder({ 'state/runs/r1/input': content }).has(id);

it('names what each file is, and its run, in the order of their paths', async () => {
  const files = [
    ...['state/runs/r2/backup', 'state/runs/r1/rejects.csv', 'state/runs/r1/input'],
    ...[
      'state/runs/r1/manifest.json',
      'state/other',
      'cache/values/subscribers',
      'out/rejects.csv',
    ],
  ];
  const { search } = openFolder(Object.fromEntries(files.map((name) => [name, 'u1\n'])));
  expect(await search(['u1'], ['out/rejects.csv', 'out/absent.csv'])).toEqual([
    { kind: 'cache', path: 'cache/values/subscribers' },
    { kind: 'rejects', path: 'out/rejects.csv' },
    { kind: 'rejects', path: 'state/other' },
    { kind: 'input', path: 'state/runs/r1/input', runId: 'r1' },
    { kind: 'run', path: 'state/runs/r1/manifest.json', runId: 'r1' },
    { kind: 'rejects', path: 'state/runs/r1/rejects.csv', runId: 'r1' },
    { kind: 'backup', path: 'state/runs/r2/backup', runId: 'r2' },
  ]);
  expect(await search(['u1'], ['state/runs/r1/rejects.csv'])).toHaveLength(6);
});

it('leaves out compiled code, sandboxes, links, and folders that do not exist', async () => {
  const { folder, search } = openFolder({
    'cache/compiled/a': 'u1',
    'state/sandbox/sandbox-1/sandbox.db': 'u1',
    'elsewhere/input': 'u1',
  });
  symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'state/link'));
  symlinkSync(path.join(folder, 'elsewhere/input'), path.join(folder, 'state/file'));
  expect(await search(['u1'], ['state/file', 'elsewhere'])).toEqual([]);
  const others = openFolder({ 'cache/compiled-too': 'u1', 'state/sandboxes': 'u1' });
  expect(await others.search(['u1'])).toHaveLength(2);
  expect(await openFolder({}).search(['u1'])).toEqual([]);
});

describe('an id of letters, digits and some signs', () => {
  it.each([
    ...['u1', '"u1"', 'a,u1,b', '{"id":"u1"}', 'x\nu1\ny', 'u1:', ':u1', '--u1', 'u1...', 'to u1.'],
  ])('is found in %j', async (content) => {
    expect(await isFound('u1', content)).toBe(true);
  });

  it.each(['u10', 'xu1', 'u1@x', 'u1-2', 'u-1', 'u1.x', 'u_1', 'U1', ''])(
    'is not found in %j',
    async (content) => {
      expect(await isFound('u1', content)).toBe(false);
    },
  );

  it.each(['a@example.com', '+49-1', 'a:b', 'a.b', 'a_b', 'A-1'])('can be %s', async (id) => {
    expect(await isFound(id, `x,${id},y`)).toBe(true);
    expect(await isFound(id, `x,${id}1,y`)).toBe(false);
  });
});

describe('another id', () => {
  it('is found as it is written in CSV and in JSON', async () => {
    const id = 'a "b"\\c';
    expect(await isFound(id, `x,${id},y`)).toBe(true);
    expect(await isFound(id, `"${id.replaceAll('"', '""')}",y`)).toBe(true);
    expect(await isFound(id, JSON.stringify({ id }))).toBe(true);
    expect(await isFound(id, JSON.stringify({ text: `It is ${id}.` }))).toBe(true);
    expect(await isFound(id, 'a b c')).toBe(false);
  });

  it('is found with one of letters and digits', async () => {
    const { search } = openFolder({ 'state/a': 'Ünal x', 'state/b': 'u1', 'state/c': 'other' });
    expect((await search(['Ünal x', 'u1'])).map(({ path: name }) => name)).toEqual([
      ...['state/a', 'state/b'],
    ]);
    expect(await search([])).toEqual([]);
  });
});

describe('a file', () => {
  const id = 'Jürgen é';
  const text = `x\n${id}\ny`;

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(text, 'utf16le')],
    ['gzip', gzipSync(text)],
  ])('is searched in %s', async (_encoding, content) => {
    expect(await isFound(id, content)).toBe(true);
    expect(await isFound('absent é', content)).toBe(false);
  });

  it('in UTF-8 is not read as Windows-1252', async () => {
    expect(await isFound('Ã©', 'é')).toBe(false);
  });

  it('is searched beyond a chunk, and over the end of one', async () => {
    const lines = 'other line\n'.repeat(20_000);
    expect(await isFound('u1', `${lines}u1`)).toBe(true);
    expect(await isFound('u1', `u1\n${lines}`)).toBe(true);
    // Around the end of the first chunk of 64 KB.
    for (const shift of [-3, -2, -1, 0, 1])
      expect(await isFound('user-1', `${'x '.repeat((65_536 + shift) / 2)} user-1 y`)).toBe(true);
  });

  it('or folder that cannot be read is named', async () => {
    const { folder, search, unread } = openFolder({ 'state/a': 'u1' });
    symlinkSync('loop', path.join(folder, 'loop'));
    symlinkSync('cache', path.join(folder, 'cache'));
    expect(await search(['u1'], ['loop/rejects.csv'])).toHaveLength(1);
    expect(unread.map(([file]) => file)).toEqual(['cache', 'loop/rejects.csv']);
    expect(unread[0]?.[1]).toContain('ELOOP');
  });

  it('that is damaged is named, and the others are searched', async () => {
    const { search, unread } = openFolder({
      'state/runs/r1/input': gzipSync('u1').subarray(0, 12),
      'state/runs/r2/input': 'u1',
    });
    expect(await search(['u1'])).toEqual([
      { kind: 'input', path: 'state/runs/r2/input', runId: 'r2' },
    ]);
    expect(unread).toEqual([['state/runs/r1/input', expect.stringContaining('gzip')]]);
  });

  it('that does not exist has no id', async () => {
    const { search, unread } = openFolder({});
    expect(await search(['u1'], ['absent/rejects.csv'])).toEqual([]);
    expect(unread).toEqual([]);
  });
});
