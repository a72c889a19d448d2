// --fields: unknown names are usage errors, absent fields are empty.
import { describe, expect, it } from 'vitest';
import { commandLines, openExamples } from '../commands/command-lines.ts';
import { filterWrites } from '../support/requests.ts';
import { openRig, writeInput } from '../support/rig.ts';
import { words } from '../support/words.ts';

const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'];
const page = { next: null, previous: null, totalCount: 1, totalCountCapped: false };

describe('an unknown field', () => {
  it.each(formats)(
    'is a usage error for a list with -o %s, which prints nothing',
    async (format) => {
      const { svc } = await openRig();
      const line = ['topics', 'list', '--fields', 'key,nmae,createdAt.year', '-o', format];
      const { code, stdout, stderr } = await svc(line);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('--fields: unknown fields `nmae`, `createdAt.year`.');
      expect(stderr).toContain('Fields: _id, key, name, createdAt, updatedAt.');
    },
  );

  it.each(formats)('is a usage error for a record with -o %s', async (format) => {
    const { svc } = await openRig();
    const line = ['topics', 'get', 'announcements', '--fields', 'nmae', '-o', format];
    const { code, stdout, stderr } = await svc(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('unknown field `nmae`. Did you mean `name`?');
  });

  it('is a usage error on a terminal, in a pipe, with --jq and for an empty list', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'list', '--fields', 'nope'];
    expect(await svc(line, { tty: true })).toMatchObject({ code: 2, stdout: '' });
    expect(await svc(line)).toMatchObject({ code: 2, stdout: '' });
    expect(await svc([...line, '--jq', '.'])).toMatchObject({ code: 2, stdout: '' });
    const none = [...line, '--key', 'no-such-key'];
    expect(await svc([...none, '--json'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('inside an object is a usage error that lists the members of the object', async () => {
    const { svc } = await openRig();
    const line = ['subscribers', 'preferences', 'get', 'u1', '--fields', 'global.enbled', '--json'];
    const { code, stderr } = await svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean `global.enabled`?');
    expect(stderr).toContain('global.channels');
  });

  it('is a usage error for data that svc itself produces', async () => {
    const { svc } = await openRig();
    expect(await svc(['whoami', '--fields', 'apiKeys'])).toMatchObject({ code: 2, requests: [] });
    expect((await svc(['config', 'list', '--fields', 'nope', '--json'])).code).toBe(2);
  });

  it('of `svc api` is checked against the response', async () => {
    const { svc } = await openRig();
    const line = ['api', 'GET', '/v2/topics', '--fields'];
    expect((await svc([...line, 'nope'])).code).toBe(2);
    const { code, stdout } = await svc([...line, 'data.key']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      data: expect.arrayContaining([{ key: 'announcements' }]),
    });
  });
});

describe('an absent field', () => {
  it('is empty if it is part of the response schema', async () => {
    const { svc, answer } = await openRig();
    answer({ status: 200, body: { ...page, data: [{ _id: '1', key: 'a' }] } });
    const line = ['topics', 'list', '--fields', 'key,name', '-o', 'csv'];
    expect(await svc(line)).toMatchObject({ code: 0, stdout: 'key,name\na,\n', stderr: '' });
  });

  it('is empty if other items of the first page have it', async () => {
    const { svc, answer } = await openRig();
    answer({
      status: 200,
      body: { ...page, data: [{ key: 'a' }, { key: 'b', extra: [{ deep: 1 }] }] },
    });
    const line = ['topics', 'list', '--fields', 'key,extra.deep'];
    expect(await svc(line)).toMatchObject({ code: 0, stdout: 'a\t\nb\t1\n', stderr: '' });
  });

  it('is empty inside data without a schema', async () => {
    const { svc } = await openRig();
    const line = ['activity', 'list', '--limit', '1', '--json', '--fields', 'payload.nothing'];
    expect((await svc(line)).code).toBe(0);
  });
});

describe('a write', () => {
  const rename = ['topics', 'rename', 'announcements', 'News'];

  it.each([
    [rename, 'nope'],
    [['subscribers', 'create', 'u9'], 'email'],
    [['events', 'trigger', 'welcome', '--to', 'u1'], 'rows'],
    [['events', 'trigger', 'welcome', '--to', 'u1', '--wait'], 'status'],
    [['subscribers', 'bulk-import', 'users.csv'], 'subscriberId'],
    [['integrations', 'delete', '677485809bebc841f620134a', '--yes'], 'identifier'],
  ])('%j is not sent with the unknown field %s', async (line, name) => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    for (const more of [[], ['--json'], ['-o', 'csv'], ['--dry-run']]) {
      const { code, stdout, stderr, requests } = await rig.svc(
        words`${line} --fields ${name} ${more}`,
      );
      expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
      expect(stderr).toContain(`unknown field \`${name}\``);
    }
  });

  it('whose response lacks a known field succeeds with a warning', async () => {
    const { svc, answer } = await openRig();
    answer({ status: 200, body: { _id: '1', key: 'announcements' } });
    const ran = await svc([...rename, '--fields', 'key,name']);
    expect(ran).toMatchObject({
      code: 0,
      stdout: 'key\tannouncements\n',
      stderr: '--fields: the response has no `name`.\n',
    });
    expect(filterWrites(ran.requests)).toHaveLength(1);
  });

  it('with `svc api` succeeds with a warning', async () => {
    const { svc } = await openRig();
    const line = ['api', 'PATCH', '/v2/topics/announcements', '-f', 'name=N', '--fields', 'nope'];
    expect(await svc(line)).toMatchObject({
      code: 0,
      stderr: '--fields: the response has no `nope`.\n',
    });
  });

  it('in a dry run is printed completely', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc([...rename, '--fields', 'key', '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ method: 'PATCH', body: { name: 'News' } }]);
  });
});

const lines = (await commandLines())
  .filter(({ command: { operations = [] }, args }) => operations.length > 0 && args.length > 0)
  .map(({ name, args }) => [name, args] as const);

describe.each(lines)('svc %s', (name, args) => {
  it('accepts every field that it prints', async () => {
    const print = async (...more: string[]) => {
      const { svc } = await openExamples(name);
      return svc([...args, '--json', ...more]);
    };
    const plain = await print('--yes');
    const data: unknown = JSON.parse(plain.stdout);
    const [first] = Array.isArray(data) ? data : [data];
    const fields = Object.keys(first as object);
    expect(fields, name).not.toEqual([]);
    const { code, stdout } = await print('--yes', '--fields', fields.join(','));
    expect(code).toBe(plain.code);
    const [picked] = [JSON.parse(stdout)].flat();
    expect(Object.keys(picked)).toEqual(fields);
  });
});
