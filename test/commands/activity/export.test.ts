import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../../support/file-mode.ts';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { answerListing, createListing, idsIn } from './listing-service.ts';

const read = ({ folder }: Rig, name: string) => readFileSync(path.join(folder, name), 'utf8');
const exists = ({ folder }: Rig, name: string) => existsSync(path.join(folder, name));

describe('svc activity export', () => {
  it('writes whole items as NDJSON, newest first', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(['activity', 'export', 'a.ndjson', '--json']);
    expect({ code, value: parsed(stdout) }).toEqual({
      code: 0,
      value: { file: 'a.ndjson', format: 'ndjson', items: 16 },
    });
    const { stdout: listed } = await rig.svc(['activity', 'list', '--all', '-o', 'ndjson']);
    expect(read(rig, 'a.ndjson')).toBe(listed);
    expect(fileMode(path.join(rig.folder, 'a.ndjson'))).toBe('600');
    expect(exists(rig, 'a.ndjson.partial')).toBe(false);
    expect(exists(rig, 'a.ndjson.partial.json')).toBe(false);
  });

  it('writes CSV with the columns of the listing', async () => {
    const rig = await openRig();
    const filters = ['--workflow', 'welcome', '--since', '10d'];
    const { code, stdout } = await rig.svc(['activity', 'export', 'a.csv', ...filters], {
      tty: true,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Exported 3 items to a.csv.\n' });
    const { stdout: listed } = await rig.svc(['activity', 'list', ...filters, '-o', 'csv']);
    expect(read(rig, 'a.csv')).toBe(listed);
  });

  it('writes a header without items, and an empty NDJSON file', async () => {
    const rig = await openRig();
    for (const [name, text] of [
      ['none.csv', /^createdAt,transactionId,.*\n$/],
      ['none.ndjson', /^$/],
    ] as const) {
      const { code } = await rig.svc(['activity', 'export', name, '--subscriber', 'u8']);
      expect(code).toBe(0);
      expect(read(rig, name)).toMatch(text);
    }
  });

  it('prints NDJSON to standard output, or the format of -o', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['activity', 'export', '-']);
    expect(stdout).toBe((await svc(['activity', 'list', '--all', '-o', 'ndjson'])).stdout);
    const onTerminal = await svc(['activity', 'export', '-'], { tty: true });
    expect(onTerminal.stdout).toBe(stdout);
    const csv = await svc(['activity', 'export', '-', '-o', 'csv']);
    expect(csv.stdout).toBe((await svc(['activity', 'list', '--all', '-o', 'csv'])).stdout);
    const ids = await svc(['activity', 'export', '-', '--jq', '._id']);
    expect(ids.stdout.trim().split('\n')).toHaveLength(16);
  });

  it('exports every item once while new ones arrive', async () => {
    const rig = await openRig();
    const service = answerListing(rig, { items: 173, arriving: 3 });
    const { code } = await rig.svc(['activity', 'export', 'a.ndjson']);
    expect(code).toBe(0);
    expect(idsIn(read(rig, 'a.ndjson'))).toEqual(service.idsAtStart);
  });

  it('continues after an error with --resume: every item once, in order', async () => {
    const rig = await openRig();
    const service = answerListing(rig, { items: 240, arriving: 2, failAtRequest: 3 });
    const failed = await rig.svc(words`activity export a.ndjson --since 9d --retries 0`);
    expect(failed.code).toBe(7);
    expect(failed.stderr).toContain('svc activity export a.ndjson --since 9d --resume');
    expect(exists(rig, 'a.ndjson')).toBe(false);
    // A page that was written without its position, as after a kill, is written again.
    const partial = read(rig, 'a.ndjson.partial');
    writeFileSync(path.join(rig.folder, 'a.ndjson.partial'), `${partial}{"_id":"to`);

    const refused = await rig.svc(['activity', 'export', 'a.ndjson', '--since', '9d']);
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain('was interrupted after 100 items');

    const resumed = await rig.svc(['activity', 'export', 'a.ndjson', '--resume', '--json']);
    expect({ code: resumed.code, items: parsed(resumed.stdout).items }).toEqual({
      code: 0,
      items: 240,
    });
    // The time of --since is that of the first start.
    expect(resumed.requests[0]?.line).toContain('after=2026-01-06T12%3A00%3A00.000Z');
    expect(idsIn(read(rig, 'a.ndjson'))).toEqual(service.idsAtStart);
    expect(exists(rig, 'a.ndjson.partial.json')).toBe(false);
  });

  it('stops if another process continues the same export', async () => {
    const rig = await openRig();
    const listing = createListing({ items: 240 });
    const stateFile = path.join(rig.folder, 'a.ndjson.partial.json');
    let requests = 0;
    rig.answerBy(({ url }) => {
      requests += 1;
      if (requests === 3 || requests === 4) {
        const state = JSON.parse(readFileSync(stateFile, 'utf8')) as object;
        writeFileSync(stateFile, JSON.stringify({ ...state, writer: 'other' }));
      }
      return listing.respond(url.searchParams);
    });
    const stopped = await rig.svc(['activity', 'export', 'a.ndjson']);
    expect({ code: stopped.code, requests }).toEqual({ code: 8, requests: 3 });
    expect(stopped.stderr).toMatch(/^Error: Another process exports to .*a\.ndjson\.$/m);
    expect(stopped.stderr).toContain('That process continues. Use another file');
    const resumed = await rig.svc(['activity', 'export', 'a.ndjson', '--resume']);
    expect({ code: resumed.code, requests }).toEqual({ code: 8, requests: 4 });
    expect((await rig.svc(['activity', 'export', 'a.ndjson', '--resume'])).code).toBe(0);
    expect(idsIn(read(rig, 'a.ndjson'))).toEqual(listing.idsAtStart);
  });

  it('stops if its partial files are removed meanwhile', async () => {
    const rig = await openRig();
    const listing = createListing({ items: 240 });
    let requests = 0;
    rig.answerBy(({ url }) => {
      requests += 1;
      if (requests === 3)
        for (const name of ['a.ndjson.partial', 'a.ndjson.partial.json'])
          rmSync(path.join(rig.folder, name));
      return listing.respond(url.searchParams);
    });
    const { code, stderr } = await rig.svc(['activity', 'export', 'a.ndjson']);
    expect({ code, requests }).toEqual({ code: 8, requests: 3 });
    expect(stderr).toContain('Another process exports to');
  });

  it('says that a partial file cannot be written', async () => {
    const rig = await openRig();
    mkdirSync(path.join(rig.folder, 'a.ndjson.partial'));
    const { code, stderr } = await rig.svc(['activity', 'export', 'a.ndjson']);
    expect(code).toBe(8);
    expect(stderr).toContain('a.ndjson.partial cannot be written: ');
    expect(stderr).toContain('Check the folder and the free space, then run the export again');
  });

  it('does not replace a file that another program writes meanwhile', async () => {
    const rig = await openRig();
    const listing = createListing({ items: 20 });
    const file = path.join(rig.folder, 'a.ndjson');
    let isResumed = false;
    rig.answerBy(({ url }) => {
      if (!isResumed) writeFileSync(file, 'other');
      return listing.respond(url.searchParams);
    });
    const { code, stderr } = await rig.svc(['activity', 'export', 'a.ndjson']);
    expect(code).toBe(2);
    expect(stderr).toContain('was created by another program in the meantime');
    expect(read(rig, 'a.ndjson')).toBe('other');
    isResumed = true;
    rmSync(file);
    expect(await rig.svc(['activity', 'export', 'a.ndjson', '--resume'])).toMatchObject({
      code: 0,
    });
    expect(idsIn(read(rig, 'a.ndjson'))).toEqual(listing.idsAtStart);
  });

  it('keeps the previous file until the new one is complete', async () => {
    const rig = await openRig();
    await rig.svc(['activity', 'export', 'a.csv', '--subscriber', 'u8']);
    const old = read(rig, 'a.csv');
    answerListing(rig, { items: 120, failAtRequest: 2 });
    const line = ['activity', 'export', 'a.csv', '--retries', '0', '--resume'];
    const asked = await rig.svc(line);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('Confirmation is required to replace a.csv on this machine.');
    const failed = await rig.svc([...line, '--yes'], { tty: true });
    expect(failed.stderr).toContain('Nothing to resume; starting a new export to a.csv.');
    expect({ code: failed.code, text: read(rig, 'a.csv') }).toEqual({ code: 7, text: old });
    expect((await rig.svc(line)).code).toBe(0);
    expect(read(rig, 'a.csv').trim().split('\n')).toHaveLength(121);
  });

  it('does not mix exports: other filters or another service are refused', async () => {
    const rig = await openRig();
    answerListing(rig, { items: 120, failAtRequest: 2 });
    const line = ['activity', 'export', 'a.ndjson', '--retries', '0'];
    expect((await rig.svc([...line, '--severity', 'low'])).code).toBe(7);
    const other = await rig.svc([...line, '--severity', 'high', '--resume']);
    expect(other).toMatchObject({ code: 2, requests: [] });
    expect(other.stderr).toContain('has other filters');
    const elsewhere = await rig.svc([...line, '--resume'], {
      env: { SVC_BASE_URL: 'http://other.localhost' },
    });
    expect(elsewhere).toMatchObject({ code: 2, requests: [] });
    expect(elsewhere.stderr).toContain('http://other.localhost');
    expect((await rig.svc([...line, '--severity', 'low', '--resume'])).code).toBe(0);
  });

  it('reports a position that does not belong to the partial file', async () => {
    const rig = await openRig();
    answerListing(rig, { items: 120, failAtRequest: 2 });
    const line = ['activity', 'export', 'a.ndjson', '--retries', '0'];
    expect((await rig.svc(line)).code).toBe(7);
    const inFolder = (name: string) => path.join(rig.folder, name);
    const text = read(rig, 'a.ndjson.partial.json');
    const state = JSON.parse(text);
    const damaged = [
      ...[{ bytes: state.bytes + 1 }, { bytes: 1.5 }, { version: 2 }, { query: null }],
      ...[{ filters: 'x' }, { position: null }, { position: { items: '3' } }],
    ].map((members) => JSON.stringify({ ...state, ...members }));
    const expectRefusal = async (message: string) => {
      const broken = await rig.svc([...line, '--resume']);
      expect(broken).toMatchObject({ code: 8, requests: [] });
      expect(broken.stderr).toContain(message);
    };
    for (const content of ['', 'null', '{', ...damaged]) {
      writeFileSync(inFolder('a.ndjson.partial.json'), content);
      await expectRefusal('a.ndjson.partial to start again');
    }
    rmSync(inFolder('a.ndjson.partial.json'));
    mkdirSync(inFolder('a.ndjson.partial.json'));
    await expectRefusal('a.ndjson.partial.json cannot be read: EISDIR');
    rmdirSync(inFolder('a.ndjson.partial.json'));
    writeFileSync(inFolder('a.ndjson.partial.json'), text);
    expect((await rig.svc([...line, '--resume'])).code).toBe(0);
  });

  it.each([
    ['a.txt', [], 2, 'does not say the format'],
    ['folder.csv', [], 2, 'is not a regular file'],
    ['missing/a.csv', [], 8, 'cannot be written'],
    ['-', ['--resume'], 2, '--resume needs a file'],
  ])('refuses %s %j', async (file, options, code, message) => {
    const rig = await openRig();
    mkdirSync(path.join(rig.folder, 'folder.csv'));
    const ran = await rig.svc(['activity', 'export', file, ...options]);
    expect({ code: ran.code, requests: ran.requests }).toEqual({ code, requests: [] });
    expect(ran.stderr).toContain(message);
  });
});
