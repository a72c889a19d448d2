// Every command line that svc proposes selects the service of the command that proposes it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPropose } from '../../src/config/propose.ts';
import { splitShellWords } from '../../src/core/text.ts';
import { commandLines } from '../commands/command-lines.ts';
import { openSandboxRig } from '../commands/sandbox/sandbox-rig.ts';
import { baseUrl } from '../support/fixed.ts';
import { openRig, type Rig, writeInput } from '../support/rig.ts';
import { stopImport } from '../support/runs.ts';
import { openTwoEnvironments } from '../support/two-environments.ts';
import { words } from '../support/words.ts';
import { expectSelected, proposed } from './proposed-lines.ts';
import { paths, replayed } from './proposing-lines.ts';

describe('a command line that svc proposes', () => {
  it.each(paths)('selects the profile in use: svc $argv → $proposes', async (proposal) => {
    for (const more of [{ tty: true, columns: 400 }, {}]) {
      const { rig } = await openTwoEnvironments();
      await rig.svc(['profiles', 'use', 'production']);
      await proposal.before?.(rig);
      const argv = [...proposal.argv, '-p', 'development', ...(more.tty ? [] : ['--json'])];
      const ran = await rig.svc(argv, { ...proposal.options, ...more });
      const lines = proposed(ran);
      const isHere = (line: string) =>
        line.replace(/ --profile \w+/, '').startsWith(proposal.proposes);
      if (more.tty) expect(lines.some(isHere), ran.stdout + ran.stderr).toBe(true);
      await expectSelected(lines, { profile: 'development' });
    }
  });

  it('needs no option for the current profile', async () => {
    const { rig } = await openTwoEnvironments();
    for (const words of [[], ['-p', 'development']]) {
      const { stderr } = await rig.svc(['topics', 'get', 'nope', ...words]);
      expect(stderr).toMatch(/^ {2}svc topics list$/m);
    }
    const { stderr } = await rig.svc(['topics', 'get', 'nope', '-p', 'development'], {
      env: { SVC_PROFILE: 'production' },
    });
    expect(stderr).toContain('svc topics list --profile development\n');
  });

  it('selects a profile from SVC_PROFILE, which may be set for one command only', async () => {
    const { rig } = await openTwoEnvironments();
    const env = { SVC_PROFILE: 'production' };
    const { stderr } = await rig.svc(['topics', 'get', 'nope'], { env });
    expect(stderr).toContain('svc topics list --profile production\n');
  });

  it('has the address, key file and connection options of the command line', async () => {
    const rig = await openRig({ bare: true });
    const options = ['--base-url', baseUrl, '--api-key-file', '-', '--insecure-http'];
    const ran = await rig.svc(['topics', 'get', 'nope', ...options], {
      stdin: `${'k'.repeat(9)}\n`,
    });
    expect(ran.stderr).toContain(
      `svc whoami --base-url ${baseUrl} --api-key-file - --insecure-http\n`,
    );
    expect(ran.stderr).toContain(`svc login --base-url ${baseUrl} --insecure-http\n`);
  });

  it('selects the profile of a command line that cannot be parsed', async () => {
    const { rig } = await openTwoEnvironments();
    const { stderr } = await rig.svc(['--profile=production', 'topics', 'update']);
    expect(stderr).toContain('--create --profile production\n');
  });
});

describe('svc activity explain', () => {
  it('proposes commands for the profile in use, in the text and in JSON', async () => {
    const { rig } = await openTwoEnvironments();
    await rig.svc(['subscribers', 'create', 'ada2']);
    await rig.svc(['events', 'trigger', 'welcome', '--to', 'ada2', '--wait']);
    await rig.svc(['profiles', 'use', 'production']);
    const line = ['activity', 'explain', 'ada2', '-p', 'development', '--channel', 'email'];
    const fix = 'svc subscribers update ada2 --email ADDRESS --profile development';
    expect((await rig.svc(line, { tty: true, columns: 200 })).stdout).toContain(`  ${fix}\n`);
    const { channels } = JSON.parse((await rig.svc([...line, '--json'])).stdout);
    expect(channels[0].next).toEqual([fix]);
  });
});

describe('the commands of a run', () => {
  it('select its profile: to resume it, to show it and to send rejected rows', async () => {
    const { rig } = await openTwoEnvironments();
    const { runId } = await stopImport(rig);
    await rig.svc(['profiles', 'use', 'production']);
    const shown = await rig.svc(['runs', 'show', runId], { tty: true, columns: 200 });
    expect(shown.stderr).toContain(`svc runs resume ${runId} --profile development\n`);
    writeInput(rig, 'bad.csv', 'subscriberId,email\nx,bad\nu1,\n');
    const line = ['subscribers', 'bulk-import', 'bad.csv', '--profile', 'development'];
    const { stdout } = await rig.svc(line, { tty: true, columns: 400 });
    expect(stdout).toMatch(/svc subscribers bulk-import \S+ --profile development\n/);
  });
});

describe('a command line that contains a value', () => {
  it('has an id that looks like an option behind --', async () => {
    const { rig } = await openTwoEnvironments();
    writeInput(rig, 'bad.csv', 'subscriberId,payload.a\n,x\n');
    const argv = words`events trigger --recipients bad.csv --yes --rejects r.csv -- --json`;
    const { stdout } = await rig.svc(argv, { tty: true, columns: 400 });
    const file = path.join(rig.folder, 'r.csv');
    expect(stdout).toContain(`svc events trigger --recipients ${file} -- '--json'\n`);
  });

  it.each(['rej -p x.csv', 'rej --help x.csv', "it's | rej.csv", "it's < --base-url x.csv"])(
    'quotes the rejects file %s and selects the profile after it',
    async (name) => {
      const { rig } = await openTwoEnvironments();
      await rig.svc(['profiles', 'use', 'production']);
      writeInput(rig, 'bad.csv', 'subscriberId,email\nx,bad\nu1,\n');
      const argv = ['subscribers', 'bulk-import', 'bad.csv', '--rejects', name];
      const { stdout } = await rig.svc([...argv, '-p', 'development'], { tty: true, columns: 400 });
      const [, command = ''] = /then run: (svc .*)$/m.exec(stdout) ?? [];
      expect(splitShellWords(command).map(({ text }) => text)).toEqual(
        words`svc subscribers bulk-import ${path.join(rig.folder, name)} --profile development`,
      );
    },
  );

  const value = "ada o'x & -p";
  const quoted = "'ada o'\\''x & -p'";
  const answer = (more: object) => (rig: Rig) => rig.answer({ status: 200, body: more });
  const page = { data: [{ key: 'a', topic: {}, subscriber: {} }], next: 'c1', previous: null };
  const cases: [argv: string[], proposes: string, before?: (rig: Rig) => unknown][] = [
    [
      ['inbox', 'list', value, '--limit', '1'],
      `svc inbox list ${quoted} --all`,
      answer({ data: [{ _id: 'a', subject: 's' }], hasMore: true, totalCount: 2 }),
    ],
    [['inbox', 'mark', value, 'read'], `svc inbox mark ${quoted} read --all`],
    [
      ['subscribers', 'topics', value, '--limit', '1'],
      `svc subscribers topics ${quoted} --after c1 --limit 1`,
      answer(page),
    ],
    [
      ['topics', 'subscribers', value, '--limit', '1'],
      `svc topics subscribers ${quoted} --after c1 --limit 1`,
      answer(page),
    ],
    [['environments', 'create', value], `svc environments create ${quoted} --color '#2f9e44'`],
    [['topics', 'subscribe', value], `svc topics subscribe ${quoted} <subscriber-id>`],
    [['topics', 'unsubscribe', value], `svc topics subscribers ${quoted}`],
    [['events', 'trigger', value], `svc events trigger ${quoted} --to <subscriber-id>`],
    [['contexts', 'get', value], `svc contexts list --type ${quoted}`],
    [['contexts', 'update', 'tenant', value], `svc contexts update tenant ${quoted} --data '{}'`],
    [['integrations', 'create', value], `svc integrations create ${quoted} --channel <channel>`],
    [
      ['api', 'POST', '/v2/topics?a=1&b=2'],
      "svc api GET '/v2/topics?a=1&b=2'",
      (rig) => rig.answer(replayed, replayed),
    ],
  ];
  it.each(cases)('quotes it: svc %j → %s', async (argv, proposes, before) => {
    const { rig } = await openTwoEnvironments();
    await rig.svc(['profiles', 'use', 'production']);
    before?.(rig);
    const options = { tty: true, columns: 400 };
    const ran = await rig.svc([...argv, '-p', 'development'], options);
    const lines = proposed(ran).map((line) => line.replace(' --profile development', ''));
    expect(lines, ran.stdout + ran.stderr).toContain(proposes);
  });

  it('quotes the name of a folder that svc diff cannot compare', async () => {
    const { rig } = await openTwoEnvironments();
    mkdirSync(path.join(rig.folder, 'work flows'));
    const { stderr } = await rig.svc(['diff', 'development', 'work flows']);
    expect(stderr).toContain("  svc environments pull 'work flows'\n");
  });
});

describe('a push to another environment', () => {
  it('is restored there, also if it is that of the current profile', async () => {
    const { rig } = await openTwoEnvironments();
    await rig.svc(['workflows', 'promote', 'welcome', '--to', 'production', '--yes']);
    await rig.svc(['workflows', 'disable', 'welcome', '-p', 'production', '--yes']);
    const back = ['workflows', 'promote', 'welcome', '--to', 'development', '-p', 'production'];
    const { stdout } = await rig.svc([...back, '--yes'], { tty: true, columns: 400 });
    expect(stdout).toMatch(
      /To restore the previous versions: svc workflows push \S+ --profile development\n/,
    );
  });
});

describe('a sandbox that is used although it is not that of the current profile', () => {
  it('is selected by the proposed commands', async () => {
    const production = {
      baseUrl: 'https://prod.example.com',
      key: 'k'.repeat(32),
      keySource: 'file',
    };
    const { svc } = await openSandboxRig({ current: 'prod', prod: production });
    const line = ['sandbox', 'messages', 'wait', '--subscriber', 'unknown', '--timeout', '1ms'];
    const { stderr } = await svc(line);
    expect(stderr).toContain('svc sandbox messages list --subscriber unknown --profile sandbox\n');
  });
});

describe('createPropose', () => {
  const line = createPropose({ globals: { profile: 'b' }, env: {} }, () => ({
    current: 'a',
    profiles: {},
  }));

  it('selects the service in exactly the commands that use one', async () => {
    for (const { name, command } of await commandLines()) {
      const selectedBy = command.selectedBy ?? (command.offline ? 'nothing' : undefined);
      const proposal = `svc ${name} --yes`;
      expect(line(proposal)).toBe(selectedBy === 'nothing' ? proposal : `${proposal} --profile b`);
    }
  });

  it('names no service for a command that creates one or uses none', () => {
    for (const proposal of ['svc sandbox start', 'svc demo', 'svc runs list', 'svc config list'])
      expect(line(proposal)).toBe(proposal);
  });

  it.each([
    ['svc help bulk'],
    ['svc topics list --help'],
    ['svc topics list -p c'],
    ['svc login --profile=c'],
  ])('leaves %s as it is', (command) => expect(line(command)).toBe(command));

  it('adds the options before a redirection, and only to commands', () => {
    expect(line("svc events cancel - --x 'a < b' < ids.txt")).toBe(
      "svc events cancel - --x 'a < b' --profile b < ids.txt",
    );
    expect(line('npm install')).toBe('npm install');
  });

  it.each([
    ["'a -p c'", ''],
    ["'a --help b'", ''],
    ["'a --ca-file b'", ''],
    ["'it'\\''s | a'", ''],
    ["'it'\\''s'", " < 'a | b'"],
  ])('treats the quoted argument %s as one word', (argument, end) =>
    expect(line(`svc topics get ${argument}${end}`)).toBe(
      `svc topics get ${argument} --profile b${end}`,
    ),
  );
});
