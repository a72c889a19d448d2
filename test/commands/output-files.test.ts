// The files that commands write where the user says: a file that svc did not write for the same purpose is replaced only
// with --force, and by a tool of an assistant never.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAssistant, profileOfRig, storeProfiles } from '../support/assistant.ts';
import { openRig, type Rig, writeInput } from '../support/rig.ts';

const precious = 'precious: 1\n';

interface Writer {
  /** Without the file. */
  line: string[];
  file: string;
  /** The start of a file with another purpose. */
  other?: string;
}

const writers: Writer[] = [
  { line: ['workflows', 'push', '--save-plan'], file: 'plan.json', other: '{"format":1}\n' },
  { line: ['environments', 'push', 'environment', '--save-plan'], file: 'plan.json' },
  { line: ['workflows', 'types', '--out'], file: 'types.d.ts', other: '// Made by hand.\n' },
  { line: ['activity', 'export'], file: 'a.csv', other: 'createdAt,transactionId\n' },
  { line: ['activity', 'export'], file: 'a.ndjson', other: '{"subscriberId":"u1"}\n' },
  { line: ['subscribers', 'export'], file: 'a.csv', other: 'subscriberId,email\nu1,\n' },
  { line: ['subscribers', 'export'], file: 'a.ndjson', other: '{"subscriberId":"u1"}\n' },
  { line: ['subscribers', 'preferences', 'export'], file: 'a.csv', other: 'subscriberId\nu1\n' },
  { line: ['subscribers', 'report', 'u1', '--file'], file: 'u1.json', other: '{"subscribers":[]}' },
  { line: ['sandbox', 'pull', '--file'], file: 's.yaml', other: 'environments:\n  - name: Mine\n' },
];

const read = ({ folder }: Rig, file: string) => readFileSync(path.join(folder, file), 'utf8');

async function openWithFiles() {
  const rig = await openRig();
  // Two workflows of the seed cannot be files.
  expect((await rig.svc(['workflows', 'pull'])).code).toBe(3);
  expect((await rig.svc(['environments', 'pull', 'environment'])).code).toBe(0);
  return rig;
}

describe.each(writers)('svc $line $file', ({ line, file, other }) => {
  const write = [...line, file, '--yes'];

  it('writes a new file, and replaces what it wrote before', async () => {
    const rig = await openWithFiles();
    expect((await rig.svc(write)).code).toBe(0);
    const first = read(rig, file);
    expect(first).not.toBe('');
    writeFileSync(path.join(rig.folder, file), `${first}\n`);
    expect((await rig.svc(write)).code).toBe(0);
    expect(read(rig, file).split('\n')[0]).toBe(first.split('\n')[0]);
    // As mktemp creates it.
    writeFileSync(path.join(rig.folder, file), '');
    expect((await rig.svc(write)).code).toBe(0);
    expect(read(rig, file)).not.toBe('');
  });

  it('refuses a file of another purpose, unless --force is given', async () => {
    const rig = await openWithFiles();
    for (const text of [precious, ...(other === undefined ? [] : [other])]) {
      writeInput(rig, file, text);
      const refused = await rig.svc(write);
      expect({ code: refused.code, stdout: refused.stdout, kept: read(rig, file) }).toEqual({
        code: 2,
        stdout: '',
        kept: text,
      });
      expect(refused.stderr).toContain(
        `Error: ${file} already exists, and svc did not write it for this purpose.\n`,
      );
      expect(refused.stderr).toContain('or replace the file with --force.\n');
      expect(refused.requests.filter(({ line }) => !line.startsWith('GET'))).toEqual([]);
    }
    const forced = await rig.svc([...line, file, '--force']);
    expect(forced.code).toBe(0);
    expect(read(rig, file)).not.toContain(precious);
    mkdirSync(path.join(rig.folder, 'folder', file), { recursive: true });
    const folder = await rig.svc([...line, `folder/${file}`, '--force', '--yes']);
    expect(folder.code).toBe(2);
    expect(folder.stderr).toContain('is not a regular file');
  });
});

describe('files of a bulk run', () => {
  it.each(['--rejects', '--save-map'])(
    '%s refuses any existing file without --force',
    async (option) => {
      const rig = await openRig();
      writeInput(
        rig,
        'people.csv',
        'subscriberId,Email Address\nu1,a@example.com\n,\n"",b@x.test\n',
      );
      writeInput(rig, 'out.yaml', precious);
      const line = ['subscribers', 'bulk-import', 'people.csv', option, 'out.yaml', '--yes'];
      const refused = await rig.svc(line);
      expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
      expect(refused.stderr).toContain('out.yaml already exists.\n');
      expect(read(rig, 'out.yaml')).toBe(precious);
      expect((await rig.svc([...line, '--force'])).code).toBe(3);
      expect(read(rig, 'out.yaml')).not.toBe(precious);
    },
  );

  it('svc runs merge --rejects refuses any existing file without --force', async () => {
    const rig = await openRig();
    writeInput(rig, 'people.csv', 'subscriberId,email\nu1,\n"",b@x.test\n');
    expect((await rig.svc(['subscribers', 'bulk-import', 'people.csv', '--yes'])).code).toBe(3);
    writeInput(rig, 'all.csv', precious);
    const line = ['runs', 'merge', 'last', '--rejects', 'all.csv'];
    expect((await rig.svc(line)).code).toBe(2);
    expect(read(rig, 'all.csv')).toBe(precious);
    expect((await rig.svc([...line, '--force'])).code).toBe(3);
    expect(read(rig, 'all.csv')).toContain('b@x.test');
  });
});

describe('svc completion --install', () => {
  it('replaces its own script, and another file only with --force', async () => {
    const rig = await openRig();
    const line = ['completion', 'fish', '--install'];
    const { stdout } = await rig.svc([...line, '-o', 'ids']);
    const file = path.relative(rig.folder, stdout.trim());
    const script = read(rig, file);
    expect((await rig.svc(line)).code).toBe(0);
    writeInput(rig, file, '# of another program named svc\n');
    const { code, stderr } = await rig.svc(line);
    expect({ code, kept: read(rig, file) }).toEqual({
      code: 2,
      kept: '# of another program named svc\n',
    });
    expect(stderr).toContain('already exists, and svc did not write it for this purpose.');
    expect((await rig.svc([...line, '--force'])).code).toBe(0);
    expect(read(rig, file)).toBe(script);
  });
});

describe('--force', () => {
  it('is refused without a file to replace', async () => {
    const { svc } = await openWithFiles();
    for (const line of [
      ['workflows', 'push'],
      ['workflows', 'types'],
    ]) {
      const { code, requests } = await svc([...line, '--force', '--yes']);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
    }
  });
});

describe('a tool of svc mcp', () => {
  it('replaces no file, also none that svc wrote, and cannot be forced', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { dev: profileOfRig });
    const { call, names, end } = await openAssistant(rig, ['--allow-writes']);
    const calls: [tool: string, args: Record<string, unknown>, file: string][] = [
      ['workflows_push', { savePlan: 'plan.json' }, 'plan.json'],
      ['workflows_types', { out: 'types.d.ts' }, 'types.d.ts'],
      ['activity_export', { file: 'a.csv' }, 'a.csv'],
      ['subscribers_export', { file: 'a.csv' }, 'a.csv'],
      ['subscribers_preferences_export', { file: 'p.csv' }, 'p.csv'],
    ];
    expect(await names()).toEqual(expect.arrayContaining(calls.map(([tool]) => tool)));
    await call('workflows_pull');
    const confirm = 'Development';
    for (const [tool, args, file] of calls) {
      rmSync(path.join(rig.folder, file), { force: true });
      const created = await call(tool, { ...args, confirm });
      expect({ tool, isError: created.isError }).toEqual({ tool, isError: false });
      const text = `${read(rig, file)}\n`;
      writeFileSync(path.join(rig.folder, file), text);
      const { error } = await call(tool, { ...args, confirm });
      expect({ tool, error, kept: read(rig, file) }).toMatchObject({
        error: { code: 2, message: expect.stringContaining('already exists, and a tool replaces') },
        kept: text,
      });
      const forced = await call(tool, { ...args, confirm, force: true });
      expect(forced.error.message).toContain('`force` is not a parameter');
    }
    await end();
    expect(existsSync(path.join(rig.folder, 'a.csv.partial'))).toBe(false);
  });
});
