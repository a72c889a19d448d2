// svc subscribers export, and what reads its files.
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileMode } from '../../support/file-mode.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { exportAll, importAll, readExport } from './exported-people.ts';

const read = ({ folder }: Rig, name: string) => readFileSync(path.join(folder, name), 'utf8');
const exists = ({ folder }: Rig, name: string) => existsSync(path.join(folder, name));

describe('svc subscribers export', () => {
  it('writes whole items as NDJSON, oldest first, with masked secrets', async () => {
    const rig = await openRig();
    const { code, stdout, requests } = await rig.svc(words`subscribers export p.ndjson --json`);
    expect({ code, value: parsed(stdout) }).toEqual({
      code: 0,
      value: { file: 'p.ndjson', format: 'ndjson', items: 9 },
    });
    expect(requests).toHaveLength(1);
    const listed = await rig.svc([
      ...['subscribers', 'list', '--all', '--order', 'asc', '-o', 'ndjson'],
    ]);
    expect(read(rig, 'p.ndjson')).toBe(listed.stdout);
    expect(read(rig, 'p.ndjson')).toContain('********');
    expect(fileMode(path.join(rig.folder, 'p.ndjson'))).toBe('600');
  });

  it('writes CSV with the columns of the listing, and prints to standard output', async () => {
    const rig = await openRig();
    expect((await rig.svc(['subscribers', 'export', 'p.csv'], { tty: true })).stdout).toBe(
      'Exported 9 subscribers to p.csv.\n',
    );
    const listed = await rig.svc(['subscribers', 'list', '--all', '--order', 'asc', '-o', 'csv']);
    expect(read(rig, 'p.csv')).toBe(listed.stdout);
    expect((await rig.svc(['subscribers', 'export', '-', '-o', 'csv'])).stdout).toBe(listed.stdout);
    const ids = await rig.svc(['subscribers', 'export', '-', '--jq', '.subscriberId']);
    expect(ids.stdout.split('\n')).toContain('u1');
  });

  it('is read back: an export of A, imported to B, is the export of B', async () => {
    const [source, target] = [await openRig(), await openRig()];
    const ids = (await target.svc(['subscribers', 'list', '--all', '-o', 'ids'])).stdout;
    await target.svc(['subscribers', 'delete', '-', '--yes'], { stdin: ids });
    expect((await exportAll(target)).items).toBe(0);
    const exported = await exportAll(source);
    expect(exported.files).toEqual([
      'people.preferences.csv',
      'people.topics.csv',
      'people.credentials.csv',
    ]);
    await importAll(target, source.folder);
    await exportAll(target);
    expect(readExport(target)).toEqual(readExport(source));
    expect(readExport(source).preferences).toContainEqual(
      expect.stringMatching(/^u\d,,.*"\{""isEnabled"":true/),
    );
  });

  it('needs --reveal for credentials, and a file for --with', async () => {
    const { svc } = await openRig();
    for (const [line, text] of [
      [['p.ndjson', '--with', 'credentials'], '--reveal'],
      [['-', '--with', 'topics'], 'needs a file'],
      [['-', '--resume'], 'needs a file'],
      [['p.txt'], 'does not say the format'],
      [['p.csv', '--with', 'topic'], 'Did you mean `topics`?'],
    ] as const) {
      const { code, stderr, requests } = await svc(['subscribers', 'export', ...line]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain(text);
    }
  });

  it('writes only to files of its own, which only the user can read', async () => {
    const rig = await openRig();
    const inFolder = (name: string) => path.join(rig.folder, name);
    const victim = writeInput(rig, 'victim.txt', 'as before');
    symlinkSync(victim, inFolder('p.csv.partial'));
    writeFileSync(inFolder('p.topics.csv.partial'), 'of another program', { mode: 0o644 });
    const reader = openSync(inFolder('p.topics.csv.partial'), 'r');
    onTestFinished(() => closeSync(reader));
    const line = ['subscribers', 'export', 'p.csv', '--with', 'topics'];
    expect((await rig.svc(line)).code).toBe(0);
    expect(read(rig, 'victim.txt')).toBe('as before');
    expect(readFileSync(reader, 'utf8')).toBe('of another program');
    for (const name of ['p.csv', 'p.topics.csv'])
      expect(lstatSync(inFolder(name)).mode & 0o170777).toBe(0o100600);
  });

  it('does not continue in a link, nor in a file that others can read', async () => {
    const rig = await openRig();
    const partial = path.join(rig.folder, 'p.csv.partial');
    const line = ['subscribers', 'export', 'p.csv', '--with', 'topics'];
    const { requests } = await rig.svc(line);
    rig.pass(requests.length - 1);
    rig.answer({ status: 400, body: { message: 'no' } });
    expect((await rig.svc([...line, '--yes'])).code).toBe(6);
    chmodSync(partial, 0o644);
    renameSync(partial, path.join(rig.folder, 'moved'));
    symlinkSync('moved', partial);
    const before = read(rig, 'moved');
    const refused = await rig.svc([...line, '--resume']);
    expect({ code: refused.code, moved: read(rig, 'moved') }).toEqual({ code: 8, moved: before });
    renameSync(path.join(rig.folder, 'moved'), partial);
    expect((await rig.svc([...line, '--resume'])).code).toBe(0);
    expect(fileMode(path.join(rig.folder, 'p.csv'))).toBe('600');
  });

  it('continues after an error with --resume, in every file', async () => {
    const rig = await openRig();
    const line = ['subscribers', 'export', 'p.csv', '--with', 'topics,preferences'];
    await rig.svc(line);
    const names = ['p.csv', 'p.preferences.csv', 'p.topics.csv'];
    const whole = names.map((name) => read(rig, name));
    const { requests } = await rig.svc([...line, '--yes']);
    // Among the preferences, at the first topic, and at the last one.
    const topics = requests.findIndex(({ line }) => line.includes('/v2/topics'));
    for (const failing of [topics - 2, topics + 1, requests.length - 1]) {
      rig.pass(failing);
      rig.answer({ status: 400, body: { message: 'no' } });
      const failed = await rig.svc([...line, '--yes']);
      rig.clearResponses();
      expect(failed.code, requests[failing]?.line).toBe(6);
      expect(exists(rig, 'p.csv.partial.json')).toBe(true);
      // A killed process may have written more than its state says.
      for (const name of names) appendFileSync(path.join(rig.folder, `${name}.partial`), 'u1,mo');
      const { code, stderr } = await rig.svc([...line, '--resume']);
      expect({ code, stderr }, requests[failing]?.line).toEqual({ code: 0, stderr: '' });
      expect(names.map((name) => read(rig, name))).toEqual(whole);
    }
  });

  it('needs every file to continue, and only renames them if nothing else is missing', async () => {
    const rig = await openRig();
    const inFolder = (name: string) => path.join(rig.folder, name);
    const line = ['subscribers', 'export', 'p.csv', '--with', 'topics,preferences'];
    const { requests } = await rig.svc(line);
    const names = ['p.csv', 'p.preferences.csv', 'p.topics.csv'];
    const whole = names.map((name) => read(rig, name));
    for (const name of names) rmSync(inFolder(name));
    rig.pass(requests.length - 1);
    rig.answer({ status: 400, body: { message: 'no' } });
    expect((await rig.svc(line)).code).toBe(6);
    rig.clearResponses();
    const resume = [...line, '--resume'];
    const expectRefusal = async () => {
      const refused = await rig.svc(resume);
      expect(refused).toMatchObject({ code: 8, requests: [] });
      expect(refused.stderr).toContain('p.csv.partial.json does not belong to ');
    };
    for (const name of ['p.preferences.csv.partial', 'p.topics.csv.partial']) {
      renameSync(inFolder(name), inFolder('moved'));
      await expectRefusal();
      renameSync(inFolder('moved'), inFolder(name));
    }
    const { bytesBeside: _, ...state } = JSON.parse(read(rig, 'p.csv.partial.json'));
    writeFileSync(inFolder('p.csv.partial.json'), JSON.stringify(state));
    await expectRefusal();
    // As after a kill between the names of the files.
    for (const [index, name] of names.entries()) {
      writeFileSync(inFolder(`${name}.partial`), whole[index] ?? '');
    }
    const [bytes, ...bytesBeside] = whole.map((text) => Buffer.byteLength(text));
    const complete = { ...state, bytes, bytesBeside, isComplete: true };
    writeFileSync(inFolder('p.csv.partial.json'), JSON.stringify(complete));
    renameSync(inFolder('p.topics.csv.partial'), inFolder('p.topics.csv'));
    const { code, requests: sent } = await rig.svc([...resume, '--yes']);
    const others = sent.filter(({ line }) => !line.startsWith('GET /v2/workflows'));
    expect({ code, others }).toEqual({ code: 0, others: [] });
    expect(names.map((name) => read(rig, name))).toEqual(whole);
    expect(exists(rig, 'p.csv.partial.json')).toBe(false);
  });

  it('renames the first file last, and resumes if another program created it meanwhile', async () => {
    const rig = await openRig();
    const line = ['subscribers', 'export', 'p.csv', '--with', 'topics,preferences'];
    const { requests } = await rig.svc(line);
    const names = ['p.csv', 'p.preferences.csv', 'p.topics.csv'];
    const whole = names.map((name) => read(rig, name));
    for (const name of names) rmSync(path.join(rig.folder, name));
    let sent = 0;
    rig.answerBy(() => {
      sent += 1;
      if (sent === requests.length) writeFileSync(path.join(rig.folder, 'p.csv'), 'other');
      return undefined;
    });
    const stopped = await rig.svc(line);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain('was created by another program in the meantime');
    expect(names.map((name) => read(rig, name))).toEqual(['other', ...whole.slice(1)]);
    rmSync(path.join(rig.folder, 'p.csv'));
    expect((await rig.svc([...line, '--resume', '--yes'])).code).toBe(0);
    expect(names.map((name) => read(rig, name))).toEqual(whole);
    expect(exists(rig, 'p.csv.partial.json')).toBe(false);
  });

  it('continues after the last subscriber that still exists', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 250 }, (_unused, index) => `n${index}`);
    const list = writeInput(rig, 'n.csv', `subscriberId\n${rows.join('\n')}\n`);
    await rig.svc(['subscribers', 'bulk-import', list]);
    rig.pass(1);
    rig.answer({ status: 400, body: { message: 'no' } });
    expect((await rig.svc(['subscribers', 'export', 'p.csv'])).code).toBe(6);
    rig.clearResponses();
    const last = read(rig, 'p.csv.partial').trim().split('\n').at(-1)?.split(',')[0] ?? '';
    await rig.svc(['subscribers', 'delete', last, '--yes']);
    expect((await rig.svc(['subscribers', 'export', 'p.csv', '--resume'])).code).toBe(0);
    const ids = read(rig, 'p.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(new Set(ids).size).toBe(259);
    expect(ids).toHaveLength(259);
  });

  it('reports an interrupted export of another command, and asks before it replaces a file', async () => {
    const rig = await openRig();
    const line = ['subscribers', 'export', 'p.csv'];
    await rig.svc(line);
    expect(await rig.svc(line)).toMatchObject({ code: 2, requests: [] });
    writeFileSync(path.join(rig.folder, 'q.csv.partial'), '');
    writeFileSync(
      path.join(rig.folder, 'q.csv.partial.json'),
      JSON.stringify({
        ...{ version: 1, baseUrl: '', filters: {}, query: {}, writer: '', bytes: 0 },
        position: { items: 3, ids: [] },
      }),
    );
    const { code, stderr } = await rig.svc(['subscribers', 'export', 'q.csv', '--resume']);
    expect(code).toBe(2);
    expect(stderr).toContain('by `svc activity export` was interrupted');
  });
});

describe('svc subscribers preferences', () => {
  it('export writes the choices only, as CSV and NDJSON', async () => {
    const rig = await openRig();
    await rig.svc(words`subscribers preferences update u3 --workflow welcome --email off`);
    const { stdout } = await rig.svc(['subscribers', 'preferences', 'export', 'p.csv', '--json']);
    const lines = read(rig, 'p.csv').trim().split('\n');
    expect(lines[0]).toBe('subscriberId,workflow,in_app,email,sms,chat,push,tool,schedule');
    expect(lines).toContain('u3,welcome,,off,,,,,');
    expect(parsed(stdout)).toEqual({ file: 'p.csv', format: 'csv', items: lines.length - 1 });
    await rig.svc(['subscribers', 'preferences', 'export', 'p.ndjson']);
    expect(read(rig, 'p.ndjson')).toContain(
      '{"subscriberId":"u3","workflow":"welcome","email":"off"}\n',
    );
  });

  it('import reads a schedule, and rejects one that is not valid', async () => {
    const rig = await openRig();
    const schedule = {
      isEnabled: true,
      weeklySchedule: {
        monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
      },
    };
    const rows = [
      { subscriberId: 'u3', schedule },
      { subscriberId: 'u3', schedule: { isEnabled: 'yes' } },
      { subscriberId: 'u3', schedule: '{' },
      { subscriberId: 'u3', workflow: 'welcome', schedule, email: 'on' },
      { subscriberId: 'u3', email: 'off' },
    ];
    const file = writeInput(
      rig,
      'p.ndjson',
      rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    const line = ['subscribers', 'preferences', 'import', file, '--json'];
    const { code, stdout, requests } = await rig.svc(line);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 3,
      summary: { rows: 5, updated: 2, invalid: 3 },
    });
    expect(
      requests.filter(({ line: sent }) => sent.startsWith('PATCH')).map(({ body }) => body),
    ).toEqual([{ channels: {}, schedule }, { channels: { email: false } }]);
    const rejects = readFileSync(String(parsed(stdout).rejects), 'utf8');
    for (const text of ['isEnabled', 'is not valid JSON', 'without a workflow'])
      expect(rejects).toContain(text);
  });
});

describe('svc topics subscribe --file without a topic', () => {
  it('reads the topic of each row', async () => {
    const rig = await openRig();
    const rows = 'subscriberId,topicKey\nu8,announcements\nu9,announcements\nu8,nope\nu8,\n';
    const file = writeInput(rig, 't.csv', rows);
    const { code, stdout, requests } = await rig.svc(words`topics subscribe --file ${file} --json`);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 3,
      summary: { rows: 4, subscribed: 2, invalid: 2 },
    });
    expect(requests.filter(({ line }) => line.startsWith('POST'))).toMatchObject([
      {
        line: 'POST /v2/topics/announcements/subscriptions',
        body: { subscriberIds: ['u8', 'u9'] },
      },
    ]);
    expect(readFileSync(String(parsed(stdout).rejects), 'utf8')).toContain(
      'topicKey: nope does not exist (--create creates it)',
    );
    const created = await rig.svc(['topics', 'subscribe', '--file', file, '--create', '--json']);
    expect(parsed(created.stdout)).toMatchObject({ subscribed: 3, invalid: 1 });
  });

  it('needs the column topicKey', async () => {
    const rig = await openRig();
    for (const [name, text] of [
      ['t.csv', 'subscriberId\nu1\n'],
      ['t.txt', 'u1\n'],
    ] as const) {
      const { code, stderr } = await rig.svc([
        ...['topics', 'subscribe', '--file', writeInput(rig, name, text)],
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain('topic');
    }
    expect((await rig.svc(['topics', 'subscribe'])).code).toBe(2);
  });
});
