// The command line as a whole: help in every spelling, global options anywhere, endings that name the remedy.
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
  ])('%j ends with 0', async (argv, usage) => {
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
  ])('stand anywhere: %j', async (argv) => {
    const { svc } = await openRig();
    expect(JSON.parse((await svc(argv)).stdout)).toMatchObject({ key: 'announcements' });
  });

  it('an optional value is taken only after an equals sign', async () => {
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

describe('a command line that cannot be meant', () => {
  it.each([
    [['topcis', 'list'], 'Unknown command `topcis` for `svc`. Did you mean `topics`?'],
    [['topics', 'lsit'], 'Unknown command `lsit` for `svc topics`. Did you mean `list`?'],
    [['topics', 'list', '--limt', '3'], 'Unknown option `--limt`. Did you mean `--limit`?'],
    [['--versio'], 'Did you mean `--version`?'],
    [['topics', 'list', 'x'], 'Unexpected argument `x`.\n'],
    [['topics', 'get', 'a', 'b'], 'Unexpected argument `b`.\n'],
    [['login', 'work'], 'Unexpected argument `work`.\nA profile is named with --profile.\n'],
    [['login', '--api-key=s3cret'], 'Unknown option `--api-key`.\nOther users of this machine'],
    [['login', '--key', 's3cret'], 'Unknown option `--key`.\nOther users of this machine'],
    [
      ['login', '--url', 'x'],
      'Unknown option `--url`.\nUse --base-url for the address of the service.',
    ],
    [['topics', 'list', '--jq', '.['], '--jq: syntax error'],
  ])('%j ends with 2 and says what was', async (argv, said) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  it('that the service has no operation for is told what there is instead', async () => {
    const { svc } = await openRig();
    expect((await svc(['topics', 'create', 'x'])).stderr).toContain(
      'The service has no way to create a topic on its own (subscribing does)',
    );
    expect((await svc(['topics', 'lsit'])).stderr).not.toContain('The service has no way');
  });

  it('is one JSON object for a program', async () => {
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
  it('never travels back', async () => {
    const { svc } = await openRig();
    const line = 'subscribers credentials set u1 --provider slack --webhook-url ********';
    const { code, stderr, requests } = await svc(line.split(' '));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('`credentials.webhookUrl` is ********');
  });
});
