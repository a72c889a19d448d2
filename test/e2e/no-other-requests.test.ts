// svc sends no requests of its own and accepts no key on the command line.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

const topics = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };

describe('svc', () => {
  it('sends only the requests that a command needs: no telemetry, no update check', async () => {
    const home = openHome();
    const service = await openService((_seen, response) => json(response, 200, topics));
    // All requests to other hosts would use this proxy.
    const elsewhere = await openService((_seen, response) => json(response, 200, {}));
    const proxied = { HTTP_PROXY: elsewhere.baseUrl, HTTPS_PROXY: elsewhere.baseUrl };
    const env = { ...proxied, ...service.env };
    for (const line of [
      ['--version'],
      ['--help'],
      ['topics', '--help'],
      ['help', 'output'],
      ['completion', 'bash'],
      ['__complete', 'topics'],
      ['commands', '--json'],
      ['config', 'list'],
      ['profiles', 'list'],
      ['runs', 'list'],
      ['topcs'],
    ]) {
      await home.svc(line, { env });
      expect(service.seen, `svc ${line.join(' ')}`).toEqual([]);
    }
    await home.svc(['topics', 'list'], { env });
    await home.svc(['topics', 'list', '--all', '--json'], { env });
    expect(service.seen.map(({ target }) => target.split('?')[0])).toEqual([
      '/v2/topics',
      '/v2/topics',
    ]);
    expect(elsewhere.seen).toEqual([]);
  });

  it('has no option for a key, because other processes can read the command line', async () => {
    const home = openHome();
    const { stdout } = await home.svc(['commands', '--json']);
    const commands = JSON.parse(stdout) as { command: string; options: { flags: string }[] }[];
    const { stdout: globalOptions } = await home.svc(['help', 'options']);
    const keys = [
      ...commands.flatMap(({ options }) => options.map(({ flags }) => flags)),
      ...globalOptions.split('\n'),
    ]
      .map((line) => /--[a-z-]*(api-key|secret|token)[a-z-]*/.exec(line)?.[0])
      .filter((flag) => flag !== undefined);
    // A device token is an address, not a key. --api-key-file takes the name of a file.
    expect(new Set(keys)).toEqual(
      new Set(['--api-key-file', '--device-token', '--clear-device-tokens']),
    );
  });
});
