// How a tool call runs its command: the command line, the host of the command, its output, and how it ends.
import { getEventListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createContext } from '../../src/app/create-context.ts';
import type { Program } from '../../src/cli/command.ts';
import type { Globals } from '../../src/cli/globals.ts';
import { commandTree } from '../../src/commands/index.ts';
import { usageError } from '../../src/core/errors.ts';
import { openAccess } from '../../src/mcp/access.ts';
import { toolCaller } from '../../src/mcp/call-tool.ts';
import { openRootFolder } from '../../src/mcp/start-server.ts';
import { loadTools } from '../../src/mcp/tools.ts';
import { BrokenPipeError, type Host } from '../../src/platform/host.ts';
import { profileOfRig, storeProfiles } from '../support/assistant.ts';
import { baseUrl, testKey } from '../support/fixed.ts';
import { openRig } from '../support/rig.ts';

const tools = await loadTools({
  topics: commandTree.topics,
  environments: commandTree.environments,
  sandbox: commandTree.sandbox,
} as typeof commandTree);

interface CallerOptions {
  globals?: Globals;
  env?: Record<string, string>;
  allowWrites?: boolean;
}

/** A caller of tools for the profile `dev`, which runs `runLine` instead of the commands. */
async function openCaller(runLine: Program['runLine'], options: CallerOptions = {}) {
  const { globals = {}, env = {}, allowWrites = false } = options;
  const rig = await openRig();
  storeProfiles(rig, { dev: profileOfRig });
  writeFileSync(path.join(rig.folder, 'key.txt'), `${testKey}\n`, { mode: 0o600 });
  const shutdown = new AbortController();
  const host = {
    ...{ platform: 'linux', home: '/home/ann', cwd: rig.folder },
    ...{ env: { SVC_CONFIG_DIR: 'config', SVC_DEBUG: '1', ...env }, clock: { now: () => 0 } },
    shutdownSignal: shutdown.signal,
  } as unknown as Host;
  const given = { allowInvalidConfig: false, isLocal: false, wrap: (line: string) => [line] };
  const { context } = createContext({ host, globals, ...given });
  const root = openRootFolder(rig.folder, []);
  const access = await openAccess(context, allowWrites);
  const callTool = toolCaller({ context, runLine, tools, root, access });
  const call = async (name: string, args = {}, signal = new AbortController().signal) => {
    const { structuredContent } = await callTool({ name, args, signal, progress: () => undefined });
    return structuredContent;
  };
  return { rig, call, shutdown };
}

/** A program that does this with the host of a command, and its exit code. */
const programOf =
  (run: (host: Host) => Promise<void> | void, code = 0): Program['runLine'] =>
  async (_argv, changed) => {
    await run(changed as Host);
    return code;
  };
const noProgram = programOf(() => undefined);

describe('the command line', () => {
  it.each([
    [{}, {}, {}, ['--profile=dev', '--read-only']],
    [{ allowWrites: true }, {}, {}, ['--profile=dev']],
    [{}, { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey }, {}, ['--read-only']],
    [
      { allowWrites: true },
      {},
      {
        ...{ profile: 'dev', baseUrl, apiKeyFile: 'key.txt', caFile: '', insecureHttp: true },
        ...{ timeout: 5_000, retries: 0, maxWait: 90_000 },
      },
      [
        ...['--insecure-http', '--profile=dev', `--base-url=${baseUrl}`],
        ...['--api-key-file=<folder>/key.txt', '--timeout=5s', '--retries=0', '--max-wait=1m30s'],
      ],
    ],
    [
      { allowWrites: true },
      {},
      { baseUrl, apiKeyFile: 'key.txt', caFile: 'ca.pem' },
      [
        `--base-url=${baseUrl}`,
        ...['--api-key-file=<folder>/key.txt', '--ca-file=<folder>/ca.pem'],
      ],
    ],
  ])('with %j, %j and %j selects the service with %j', async (writes, env, globals, words) => {
    const lines: (readonly string[])[] = [];
    const runLine: Program['runLine'] = async (argv) => {
      lines.push(argv);
      return 0;
    };
    const { rig, call } = await openCaller(runLine, { ...writes, env, globals });
    expect(await call('topics_list')).toEqual({});
    const expected = words.map((word) => word.replace('<folder>', rig.folder));
    expect(lines).toEqual([['topics', 'list', '--json', '--no-input', ...expected, '--']]);
  });

  it('is run without a terminal and input, with the folders of svc and the variables', async () => {
    const hosts: object[] = [];
    const { rig, call } = await openCaller(
      programOf(async ({ env, cwd, stdin, stdinIsTty, stdout, refusesReferences }) => {
        const { isTty, columns } = stdout;
        hosts.push({ env, cwd, input: await text(stdin), stdinIsTty, isTty, columns });
        expect(refusesReferences).toBe(true);
      }),
      { env: { SECRET: 'x' } },
    );
    await call('topics_list');
    const env = {
      SECRET: 'x',
      SVC_DEBUG: undefined,
      SVC_CONFIG_DIR: path.join(rig.folder, 'config'),
      SVC_STATE_DIR: '/home/ann/.local/state/svc',
      SVC_CACHE_DIR: '/home/ann/.cache/svc',
    };
    const none = { input: '', stdinIsTty: false, isTty: false, columns: 80 };
    expect(hosts).toEqual([{ env, cwd: rig.folder, ...none }]);
  });
});

describe('a call that runs no command', () => {
  it.each([
    ['topics_lst', {}, 'Unknown tool `topics_lst`.', 'Did you mean topics_list or topics_get?'],
    // Only tools that are offered are proposed.
    ['topics_renme', {}, 'Unknown tool `topics_renme`.', null],
    [
      'topics_rename',
      {},
      'topics_rename changes data: svc mcp was started without --allow-writes.',
      'A person can start it with --allow-writes.',
    ],
    [
      'sandbox_reset',
      {},
      'sandbox_reset needs a server for a sandbox: the profile that `svc sandbox start` stored.',
      null,
    ],
    [
      'topics_list',
      { limt: 1 },
      '`limt` is not a parameter of topics_list.',
      'Did you mean limit?',
    ],
  ])('%s with %j: %s', async (name, args, message, hint) => {
    const { call } = await openCaller(() => Promise.reject(new Error('a command was run')));
    expect(await call(name, args)).toEqual({
      error: expect.objectContaining({ code: 2, name: 'usage', message, hint }),
    });
  });

  it('says that the profile has changed', async () => {
    const { rig, call } = await openCaller(noProgram);
    // It has been stored of which environment it is.
    storeProfiles(rig, { dev: { ...profileOfRig, environmentId: 'e1' } });
    expect(await call('topics_list')).toEqual({});
    storeProfiles(rig, { other: profileOfRig });
    expect(await call('topics_list')).toEqual({
      error: expect.objectContaining({
        message: 'Profile dev has changed since svc mcp was started.',
        hint: 'Start the server again.',
      }),
    });
  });
});

it('an error of the program itself is one of the protocol, a usage error is a result', async () => {
  const errors = [usageError('No.'), new Error('broken')];
  const { call } = await openCaller(() => Promise.reject(errors.shift()));
  expect(await call('topics_list')).toMatchObject({ error: { code: 2, message: 'No.' } });
  await expect(call('topics_list')).rejects.toThrow('broken');
});

describe('the output', () => {
  it('never has the key of the server, nor a newer one of its profile', async () => {
    const newKey = 'f'.repeat(32);
    const { rig, call } = await openCaller(
      programOf(({ stdout }) => stdout.write(JSON.stringify([testKey, newKey]))),
    );
    expect(await call('topics_list')).toEqual({ items: ['********', newKey] });
    storeProfiles(rig, { dev: { ...profileOfRig, key: newKey } });
    expect(await call('topics_list')).toEqual({ items: ['********', '********'] });
  });

  it('ends a command that only reads after 200,000 characters, as a closed pipe does', async () => {
    const ends: unknown[] = [];
    const { call } = await openCaller(
      programOf(async ({ stdout }) => {
        const write = async (characters: number) => {
          const end = await stdout.write('x'.repeat(characters)).catch((error: unknown) => error);
          ends.push(end instanceof BrokenPipeError);
        };
        await write(199_999);
        await write(1);
        await write(1);
      }),
      { allowWrites: true },
    );
    await call('topics_list');
    expect(ends).toEqual([false, false, true]);
    await call('topics_create', { topicKey: 'a' });
    expect(ends.slice(3)).toEqual([false, false, false]);
  });

  it('of a command that writes is read up to 200,000 characters', async () => {
    const { call } = await openCaller(
      programOf(async ({ stdout }) => {
        await stdout.write(`{ "a": "${'x'.repeat(150_000)}`);
        await stdout.write(`${'x'.repeat(100_000)}" }`);
      }),
      { allowWrites: true },
    );
    // It is not the JSON text any more.
    expect(await call('topics_create', { topicKey: 'a' })).toEqual({
      ...{ text: expect.stringMatching(/^\{ "a": "x{80000}/), truncated: true },
      next: [expect.stringMatching(/^Call topics_create with `fields`/)],
    });
  });

  it('has the last messages of 200,000 characters', async () => {
    let length = 0;
    const { call } = await openCaller(
      programOf(async ({ stderr }) => {
        await stderr.write('first\n');
        await stderr.write('second\n');
        await stderr.write('x'.repeat(length));
      }),
    );
    const namesWith = async (characters: number) => {
      length = characters;
      const { warnings } = await call('topics_list');
      return (warnings as string[]).map((warning) => warning.replace(/x+/, 'x'));
    };
    expect(await namesWith(200_000 - 13)).toEqual(['first', 'second', 'x']);
    expect(await namesWith(200_000 - 12)).toEqual(['second', 'x']);
    // At least the last one.
    expect(await namesWith(300_000)).toEqual(['x']);
  });

  it.each([
    ['topics_list', {}, /^Call topics_list with limit 19: /],
    ['environments_list', {}, /^Call environments_list with `fields`, so that more items fit,/],
    ['topics_create', { topicKey: 'a' }, /^Call topics_create with `fields`, so that/],
  ])('of %s that is too long says how to get the rest', async (name, args, next) => {
    const items = Array.from({ length: 30 }, () => 'x'.repeat(5_000));
    const { call } = await openCaller(
      programOf(({ stdout }) => stdout.write(JSON.stringify(items))),
      { allowWrites: true },
    );
    expect((await call(name, args)).next).toEqual([expect.stringMatching(next)]);
  });
});

describe('the signal of a command', () => {
  it('aborts as Ctrl-C does when the client cancels, and with the signals of the process', async () => {
    const reasons: unknown[] = [];
    const cancel = new AbortController();
    let act = () => cancel.abort('enough');
    const { call, shutdown } = await openCaller(
      programOf(({ shutdownSignal }) => {
        reasons.push(shutdownSignal.reason);
        act();
        reasons.push(shutdownSignal.reason);
      }, 130),
    );
    const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
    await call('topics_list', {}, cancel.signal);
    // Cancelled before it begins.
    await call('topics_list', {}, cancel.signal);
    act = () => shutdown.abort('terminated');
    await call('topics_list');
    await call('topics_list');
    expect(reasons).toEqual([
      ...[undefined, 'interrupted', 'interrupted', 'interrupted'],
      ...[undefined, 'terminated', 'terminated', 'terminated'],
    ]);
    expect([cancel.signal, shutdown.signal].map(listeners)).toEqual([0, 0]);
  });
});
