import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const set = ['subscribers', 'credentials', 'set', 'u1'];

describe('svc subscribers credentials', () => {
  it('set adds tokens and prints their number', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(
      [...set, '--provider', 'fcm', '--device-token', 'a', '--device-token', 'b'],
      { tty: true },
    );
    expect(stdout).toBe(
      'Set the fcm credentials of u1 at http://sandbox.localhost.\nAdded 2 device tokens to the existing ones.\n',
    );
  });

  it('set reads secrets from the environment and masks them in the output', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(
      [...set, '--provider', 'slack', '--webhook-url', 'env:HOOK', '--json'],
      { env: { HOOK: 'https://hooks.example.com/x' } },
    );
    expect(requests[0]?.body).toEqual({
      providerId: 'slack',
      credentials: { webhookUrl: 'https://hooks.example.com/x' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ subscriberId: 'u1' });
    expect(stdout).not.toContain('hooks.example.com/x');
    expect(
      (await svc([...set, '--provider', 'slack', '--webhook-url', 'https://h.example.com'])).stdout,
    ).toContain('Set the slack credentials of u1 at ');
  });

  it('set --clear-device-tokens sends an empty list', async () => {
    const { svc } = await openRig();
    const { requests } = await svc([...set, '--provider', 'fcm', '--clear-device-tokens']);
    expect(requests[0]?.body).toEqual({ providerId: 'fcm', credentials: { deviceTokens: [] } });
  });

  it.each([
    ['grafana-on-call', '--title', 'title'],
    ['mattermost', '--channel', 'channel'],
  ])(
    'set sends %s with only %s and warns about the missing webhook URL',
    async (provider, option, field) => {
      const { svc, answer } = await openRig();
      answer({ status: 200, body: { _id: 's', subscriberId: 'u1' } });
      const { code, stderr, requests } = await svc([...set, '--provider', provider, option, 'x']);
      expect({ code, body: requests[0]?.body }).toEqual({
        code: 0,
        body: { providerId: provider, credentials: { [field]: 'x' } },
      });
      expect(stderr).toContain(`Sent without --webhook-url, so ${provider} may not reach`);
    },
  );

  it.each([
    [[], '--provider is missing'],
    [['--provider', 'slak'], 'Did you mean `slack`?'],
    [['--provider', 'slack'], 'slack needs --webhook-url'],
    [['--provider', 'fcm'], 'fcm needs --device-token'],
    [['--provider', 'fcm', '--device-token', 'env:NOPE'], 'the variable NOPE is not set'],
  ])('set rejects %j before sending a request', async (options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc([...set, ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('set exits with 6 without an active integration and with 5 for an unknown subscriber', async () => {
    const { svc } = await openRig();
    expect(
      (await svc([...set, '--provider', 'discord', '--webhook-url', 'https://d.example.com'])).code,
    ).toBe(6);
    expect(
      (
        await svc(words`
          subscribers credentials set ghost --provider slack --webhook-url
          https://s.example.com
        `)
      ).code,
    ).toBe(5);
  });

  it('delete asks first, then deletes and prints what it deleted', async () => {
    const { svc } = await openRig();
    const line = ['subscribers', 'credentials', 'delete', 'u1', 'slack'];
    expect(await svc(line)).toMatchObject({ code: 2, requests: [] });
    expect(JSON.parse((await svc([...line, '--yes', '--json'])).stdout)).toEqual({
      deleted: true,
      subscriberId: 'u1',
      providerId: 'slack',
    });
    expect(
      (await svc(['subscribers', 'credentials', 'delete', 'ghost', 'slack', '--yes'])).code,
    ).toBe(5);
  });
});
