// What svc deliberately has not: requests of its own, and keys on the command line.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

const topics = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };

describe('svc', () => {
  it('sends the requests that a command needs and no other: no telemetry, no check for updates', async () => {
    const home = openHome();
    const service = await openService((_seen, response) => json(response, 200, topics));
    // Whatever does not go to the service would have to pass here.
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

  it('takes no key on the command line, where every process of the machine could read it', async () => {
    const home = openHome();
    const { stdout } = await home.svc(['commands', '--json']);
    const commands = JSON.parse(stdout) as { command: string; options: { flags: string }[] }[];
    const { stdout: everywhere } = await home.svc(['help', 'options']);
    const keys = [
      ...commands.flatMap(({ options }) => options.map(({ flags }) => flags)),
      ...everywhere.split('\n'),
    ]
      .map((line) => /--[a-z-]*(api-key|secret|token)[a-z-]*/.exec(line)?.[0])
      .filter((flag) => flag !== undefined);
    // A device token is an address; the key comes from a file.
    expect(new Set(keys)).toEqual(
      new Set(['--api-key-file', '--device-token', '--clear-device-tokens']),
    );
  });
});
