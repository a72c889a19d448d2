// Every command line that svc proposes selects the service of the command that proposes it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/command.ts';
import { locate } from '../../src/cli/locate.ts';
import { parse } from '../../src/cli/parser.ts';
import { commandTree } from '../../src/commands/index.ts';
import { createFollowUps } from '../../src/config/follow-up.ts';
import { splitShellWords } from '../../src/core/shell-word.ts';
import { commandLines } from '../commands/command-lines.ts';
import { openSandboxRig } from '../commands/sandbox/sandbox-rig.ts';
import { openFolder, smsFile } from '../commands/workflows/workflow-folder.ts';
import { baseUrl } from '../support/fixed.ts';
import { openRig, type Ran, type Rig, type RunOptions, writeInput } from '../support/rig.ts';
import { stopImport, unauthorized } from '../support/runs.ts';
import { openTwoEnvironments } from '../support/two-environments.ts';

const failed = { status: 503, body: { statusCode: 503, message: 'by the test' } };
const replayed = { ...failed, headers: { 'idempotency-replay': 'true' } };
const twoPages = {
  status: 200,
  body: { data: [{ key: 'a' }], next: 'c1', previous: null, totalCount: 2 },
};
const id = 'f'.repeat(24);

interface Path {
  /** The command line, with the profile left out. */
  argv: string[];
  /** A command line that it proposes, without the selection. */
  proposes: string;
  before?: (rig: Rig) => unknown;
  options?: RunOptions;
}

const p = (line: string, proposes: string, more: Omit<Path, 'argv' | 'proposes'> = {}): Path => ({
  argv: line.split(' '),
  proposes,
  ...more,
});

const noEvents = (rig: Rig) => rig.answer({ status: 200, body: { data: [], hasMore: false } });
const importFailing = (rig: Rig) => {
  writeInput(rig, 'users.csv', 'subscriberId\na\n');
  rig.answer(unauthorized);
};
const workflowFolder = (rig: Rig) =>
  openFolder(rig).write('workflows/hello.yaml', smsFile('hello', '{{payload.x | toSentence: 1}}'));
const acceptOnly = (rig: Rig) => {
  rig.answerBy(({ method, url }) =>
    method === 'GET' && url.pathname === '/v1/notifications' ? failed : undefined,
  );
};
const oneTopic = (rig: Rig) => rig.answer(twoPages);

const paths: Path[] = [
  p('topics get nope', 'svc topics list'),
  p('topics list --limit 1', 'svc topics list --after c1 --limit 1', { before: oneTopic }),
  p('topics list', 'svc topics subscribe <topic-key> <subscriber-id> --create', {
    before: (rig) => rig.answer({ status: 200, body: { data: [], next: null, previous: null } }),
  }),
  p('topics subscribe announcements', 'svc topics subscribe announcements <subscriber-id>'),
  p('topics subscribe nope u1', 'svc topics list'),
  p('topics unsubscribe announcements', 'svc topics subscribers announcements'),
  p('workflows get nope', 'svc workflows list'),
  p('workflows delete', 'svc workflows delete <workflow-id>'),
  p('workflows step welcome nope', 'svc workflows get welcome'),
  p('workflows push', 'svc workflows pull'),
  p('workflows push --yes', 'svc workflows delete hello', { before: workflowFolder }),
  p('workflows pull', 'svc workflows pull --delete', { before: workflowFolder }),
  p('workflows promote nope --to production', 'svc workflows list'),
  p('topics update x', 'svc topics subscribe <topic-key> <subscriber-id> --create'),
  p('subscribers list --limit 1', 'svc subscribers list --after c1 --limit 1', {
    before: (rig) =>
      rig.answer({
        status: 200,
        body: { data: [{ subscriberId: 'a' }], next: 'c1', previous: null },
      }),
  }),
  p('subscribers delete', 'svc subscribers delete <subscriber-id>'),
  p('subscribers preferences update u1 --workflow nope --email off', 'svc workflows list'),
  p('inbox list u1 --limit 1', 'svc inbox list u1 --all'),
  p('inbox mark u1 read', 'svc inbox list u1'),
  p('contexts get tenant', 'svc contexts list --type tenant'),
  p('messages delete', 'svc messages list'),
  p(`integrations get ${id}`, 'svc integrations list --all-environments'),
  p('integrations create resend', 'svc integrations create resend --channel <channel>'),
  p('integrations create resend --channel email', 'svc integrations list', {
    before: (rig) => rig.answer(replayed, replayed),
  }),
  p('environments update nope --name x', 'svc environments list'),
  p('environments create Other', "svc environments create Other --color '#2f9e44'"),
  p('activity list', 'svc events trigger', { before: noEvents }),
  p('activity get nope', 'svc activity list --since 1h', { before: noEvents }),
  p('activity explain u1 --workflow nope', 'svc workflows list'),
  p('activity explain unknown', 'svc subscribers list'),
  p('activity explain u1 --transaction seed-none', 'svc activity list --subscriber u1'),
  p('events trigger nope --to u1', 'svc workflows list'),
  p('events trigger welcome', 'svc events trigger welcome --to <subscriber-id>'),
  p('events trigger welcome --to-topic nope --yes', 'svc topics list'),
  p(
    'events trigger welcome --to u1 --transaction-id t1 --wait --retries 0',
    'svc activity get t1',
    {
      before: acceptOnly,
    },
  ),
  p(
    'events trigger comment-digest --to u1 --wait-timeout 1s --transaction-id t2',
    'svc activity get t2',
  ),
  p('events trigger welcome --to u1 --transaction-id t3 --retries 0', 'svc activity get t3', {
    before: (rig) => {
      rig.pass(1);
      rig.answer(new Error('reset'));
    },
  }),
  p('events cancel', 'svc events cancel <transaction-id>'),
  p('events cancel t4 --yes', 'svc activity get t4'),
  p('events broadcast legacy-newsletter --yes', 'svc workflows get legacy-newsletter'),
  p('subscribers bulk-import users.csv --yes', 'svc runs resume 20260115-120000-000001', {
    before: importFailing,
  }),
  p('api POST /v2/topics', 'svc api GET /v2/topics', {
    before: (rig) => rig.answer(replayed, replayed),
  }),
  p('api GET /v2/nothing', 'svc profiles show'),
  p('topics list', 'svc login', { before: (rig) => rig.answer(unauthorized) }),
  p('topics list', 'svc doctor', {
    before: (rig) => rig.answer(...Array(5).fill(new Error('strange'))),
  }),
  p('doctor', 'svc login', { before: (rig) => rig.answer(unauthorized) }),
  p('diff development', 'svc profiles list'),
  p('sandbox pull --file state.yaml --subscriber unknown', 'svc subscribers list'),
  p('sandbox pull --file state.yaml --topic nope', 'svc topics list'),
];

/** The commands in a text: in backticks, on their own line, or at the end of one after a colon. */
const commandsIn = (text: string) =>
  [
    ...text.matchAll(
      /`(svc [a-z][^`]+)`|^(?:NEXT)? *(?:→ )?(svc [a-z].+)$|: (svc [a-z][^`\n]+)$/gm,
    ),
  ].map(([, ...found]) => found.find((one) => one !== undefined) ?? '');

const everyString = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values((value as object | null) ?? {}).flatMap(everyString);

const fromJson = (text: string): string[] => {
  try {
    return everyString(JSON.parse(text));
  } catch {
    const [first = '', ...others] = text.split('\n');
    return others.length === 0 ? [first] : [...fromJson(first), ...others.flatMap(fromJson)];
  }
};

const proposed = ({ stdout, stderr }: Ran): string[] => [
  ...new Set(
    [...fromJson(stderr), ...fromJson(stdout)].flatMap((text) =>
      (/^svc [a-z]/.test(text) ? [text] : commandsIn(text)).flatMap((line) =>
        line.split(/ or (?=svc )/),
      ),
    ),
  ),
];

/** The words up to a redirection. A placeholder is replaced if its value must be one of several. */
const wordsOf = (line: string) => {
  const words = splitShellWords(line.replace('<channel>', 'email'));
  const end = words.findIndex(({ quoted }) => quoted === '<' || quoted === '|');
  return words.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
};

/** Parses a command line; returns its options and whether the command sends requests. */
async function parseLine(line: string) {
  const { path: names, node, rest, unknown } = await locate(wordsOf(line).slice(1), commandTree);
  if (!node || unknown !== undefined) throw new Error(`unknown command: ${line}`);
  if (isGroup(node) || rest.includes('--help')) return undefined;
  return { name: names.join(' '), node, ...parse(names, node, rest) };
}

const localNames = /^(?:login|completion install|demo|config \w+|sandbox start|profiles (?!show))/;

async function expectSelected(lines: readonly string[], selection: Record<string, unknown>) {
  for (const line of lines) {
    const found = await parseLine(line);
    if (!found) continue;
    const isLocal =
      found.name !== 'profiles show' && (found.node.offline || localNames.test(found.name));
    if (!isLocal || found.name === 'login')
      expect({ line, globals: found.globals }).toMatchObject({ globals: selection });
    else expect({ line, profile: found.globals.profile }).toMatchObject({ profile: undefined });
  }
}

describe('a command line that svc proposes', () => {
  it.each(paths)('selects the profile in use: svc $argv → $proposes', async (one) => {
    for (const more of [{ tty: true, columns: 400 }, {}]) {
      const { rig } = await openTwoEnvironments();
      await rig.svc(['profiles', 'use', 'production']);
      await one.before?.(rig);
      const argv = [...one.argv, '-p', 'development', ...(more.tty ? [] : ['--json'])];
      const ran = await rig.svc(argv, { ...one.options, ...more });
      const lines = proposed(ran);
      const isHere = (line: string) => line.replace(/ --profile \w+/, '').startsWith(one.proposes);
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
    expect(stderr).toContain('--create --profile production`');
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
  it.each(['rej -p x.csv', 'rej --help x.csv', "it's | rej.csv", "it's < --base-url x.csv"])(
    'quotes the rejects file %s and selects the profile after it',
    async (name) => {
      const { rig } = await openTwoEnvironments();
      await rig.svc(['profiles', 'use', 'production']);
      writeInput(rig, 'bad.csv', 'subscriberId,email\nx,bad\nu1,\n');
      const argv = ['subscribers', 'bulk-import', 'bad.csv', '--rejects', name];
      const { stdout } = await rig.svc([...argv, '-p', 'development'], { tty: true, columns: 400 });
      const [, command = ''] = /then run: (svc .*)$/m.exec(stdout) ?? [];
      expect(splitShellWords(command).map(({ text }) => text)).toEqual([
        ...['svc', 'subscribers', 'bulk-import', path.join(rig.folder, name)],
        ...['--profile', 'development'],
      ]);
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
    await rig.svc(['workflows', 'promote', 'legacy-newsletter', '--to', 'production', '--yes']);
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

describe('createFollowUps', () => {
  const { line, text } = createFollowUps({ globals: { profile: 'b' }, env: {} }, () => ({
    current: 'a',
    profiles: {},
  }));

  it('selects the service in exactly the commands that use one', async () => {
    for (const { name, command } of await commandLines()) {
      const local = command.offline ? name !== 'profiles show' && name !== 'logout' : false;
      const isLocal =
        local ||
        /^(?:sandbox start|sandbox exec|demo|completion|config|schema|commands)/.test(name);
      const proposal = `svc ${name} --yes`;
      expect(line(proposal)).toBe(isLocal ? proposal : `${proposal} --profile b`);
    }
  });

  it.each([
    ['svc help bulk'],
    ['svc topics'],
    ['svc topics list --help'],
    ['svc topics list -p c'],
    ['svc login --profile=c'],
  ])('leaves %s as it is', (command) => expect(line(command)).toBe(command));

  it('adds the options before a redirection, and only to commands', () => {
    expect(line("svc events cancel - --x 'a < b' < ids.txt")).toBe(
      "svc events cancel - --x 'a < b' --profile b < ids.txt",
    );
    expect(text('Run `svc topics list` or `svc help`: svc refuses nothing.')).toBe(
      'Run `svc topics list --profile b` or `svc help`: svc refuses nothing.',
    );
    expect(text('Resume: svc runs resume x')).toBe('Resume: svc runs resume x --profile b');
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

  it('does not take a sentence for a command', () => {
    for (const message of ['Log in: svc login. Otherwise stop it.', 'One: svc topics list\nTwo.'])
      expect(text(message)).toBe(message);
  });
});
