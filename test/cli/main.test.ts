// The command line as a whole: all spellings of help, global options in any position, usage errors with hints.
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

describe('help', () => {
  it.each([
    [['--help'], 'svc <noun> <verb>'],
    [['-h'], 'svc <noun> <verb>'],
    [[], 'svc <noun> <verb>'],
    [['help'], 'svc <noun> <verb>'],
    [['topics'], 'svc topics <command>'],
    [['topics', '--help'], 'svc topics <command>'],
    [['help', 'topics'], 'svc topics <command>'],
    [['topics', 'list', '-h'], 'svc topics list [options]'],
    [['topics', 'get', '--help'], 'svc topics get <topic-key> [options]'],
    [['help', 'topics', 'get'], 'svc topics get <topic-key> [options]'],
    [['subscribers', 'credentials', '--help'], 'svc subscribers credentials <command>'],
  ])('%j prints help and exits with 0', async (argv, usage) => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${usage}`);
  });
});

describe('global options', () => {
  it.each([
    [['--json', 'topics', 'get', 'announcements']],
    [['topics', '--json', 'get', 'announcements']],
    [['topics', 'get', '-o', 'json', 'announcements']],
    [['topics', 'get', 'announcements', '--output=json']],
    [['topic', 'show', 'announcements', '-ojson']],
    [['--timeout', '5s', '-q', 'topics', 'get', 'announcements', '--json']],
  ])('are accepted in any position: %j', async (argv) => {
    const { svc } = await openRig();
    expect(JSON.parse((await svc(argv)).stdout)).toMatchObject({ key: 'announcements' });
  });

  it('take an optional value only after an equals sign', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'get', '--debug', 'announcements']);
    expect(code).toBe(0);
    expect(stderr).toContain('> GET http://sandbox.localhost/v2/topics/announcements');
    expect(stderr).toContain('authorization: ApiKey ********');
    expect(
      (await svc(['topics', 'rename', 'announcements', 'x', '--debug=body'])).stderr,
    ).toContain('{"name":"x"}');
  });
});

describe('an invalid command line', () => {
  it.each([
    [['topcis', 'list'], 'Unknown command `topcis` for `svc`. Did you mean `topics`?'],
    [['topics', 'lsit'], 'Unknown command `lsit` for `svc topics`. Did you mean `list`?'],
    [['topics', 'list', '--limt', '3'], 'Unknown option `--limt`. Did you mean `--limit`?'],
    [['--versio'], 'Did you mean `--version`?'],
    [['topics', 'list', 'x'], 'Unexpected argument `x`.\n'],
    [['topics', 'get', 'a', 'b'], 'Unexpected argument `b`.\n'],
    [['login', 'work'], 'Unexpected argument `work`.\nName the profile with --profile.\n'],
    [['login', '--api-key=s3cret'], 'Unknown option `--api-key`.\nOther users of this machine'],
    [['login', '--key', 's3cret'], 'Unknown option `--key`.\nOther users of this machine'],
    [
      ['topics', 'create', '--key', 'news'],
      'Unknown option `--key`.\n<topic-key> is an argument: svc topics create <topic-key>\n',
    ],
    [
      ['subscribers', 'topics', '--subscriber-id=u1'],
      '<subscriber-id> is an argument: svc subscribers topics <subscriber-id>\n',
    ],
    [
      ['events', 'trigger', '--workflow', 'welcome', '--to', 'u1'],
      '[workflow-id] is an argument: svc events trigger [workflow-id]\n',
    ],
    [
      ['login', '--url', 'x'],
      'Unknown option `--url`.\nUse --base-url for the address of the service.',
    ],
    [['topics', 'list', '--jq', '.['], '--jq: syntax error'],
  ])('%j exits with 2 and prints %j', async (argv, message) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('explains a group that lacks a common command', async () => {
    const { svc } = await openRig();
    const details = 'A workflow defines the steps of a notification.';
    expect((await svc(['workflows', 'create', 'x'])).stderr).toContain(details);
    expect((await svc(['workflows', 'lsit'])).stderr).not.toContain(details);
  });

  it('prints one JSON object with --json', async () => {
    const { svc } = await openRig();
    const { stdout, stderr } = await svc(['topics', 'list', '--limt', '3', '--json']);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 2,
        name: 'usage',
        message: 'Unknown option `--limt`. Did you mean `--limit`?',
        status: null,
        path: null,
        hint: null,
        next: ['svc topics list --help'],
        details: [],
        requestId: null,
      },
    });
  });
});

describe('a masked secret', () => {
  it('is never sent to the service', async () => {
    const { svc } = await openRig();
    const line = 'subscribers credentials set u1 --provider slack --webhook-url ********';
    const { code, stderr, requests } = await svc(line.split(' '));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('`credentials.webhookUrl` is ********');
  });
});
