// svc sends no requests of its own and accepts no key on the command line.
import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openNetworkRig } from '../support/network-rig.ts';
import { json, openService } from '../support/service.ts';

const topics = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };

describe('svc', () => {
  it('sends only the requests that a command needs: no telemetry, no update check', async () => {
    const rig = openNetworkRig();
    const service = await openService((_seen, response) => json(response, 200, topics));
    Object.assign(rig.env, service.env);
    const connect = vi.spyOn(Socket.prototype, 'connect');
    onTestFinished(() => connect.mockRestore());
    for (const line of [
      ['--version'],
      ['--help'],
      ['topics', '--help'],
      ['help', 'output'],
      ['completion', 'bash'],
      ['__complete', '--', 'topics', 'get', ''],
      ['commands', '--json'],
      ['config', 'list'],
      ['profiles', 'list'],
      ['runs', 'list'],
      ['topcs'],
    ]) {
      const { code } = await rig.svc(line);
      expect({ line, code }).toEqual({ line, code: line[0] === 'topcs' ? 2 : 0 });
      expect(connect, `svc ${line.join(' ')}`).not.toHaveBeenCalled();
    }
    await rig.svc(['topics', 'list']);
    await rig.svc(['topics', 'list', '--all', '--json']);
    expect(service.seen.map(({ target }) => target.split('?')[0])).toEqual([
      '/v2/topics',
      '/v2/topics',
    ]);
    // One connection for each of the two commands.
    expect(connect).toHaveBeenCalledTimes(2);
  });

  it('has no option for a key, because other processes can read the command line', async () => {
    const rig = openNetworkRig();
    const { stdout } = await rig.svc(['commands', '--json']);
    const commands = JSON.parse(stdout) as { command: string; options: { flags: string }[] }[];
    const { stdout: globalOptions } = await rig.svc(['help', 'options']);
    const keys = [
      ...commands.flatMap(({ options }) => options.map(({ flags }) => flags)),
      ...globalOptions.split('\n'),
    ]
      .map((line) => /--[a-z-]*(api-key|secret|token)[a-z-]*/.exec(line)?.[0])
      .filter((flag) => flag !== undefined);
    // A device token is an address, not a key. --api-key-file takes the name of a file, --secret has no value.
    expect(new Set(keys)).toEqual(
      new Set(['--api-key-file', '--device-token', '--clear-device-tokens', '--secret']),
    );
  });
});
