// Connections and endpoints of a person in channels, which servers have since 3.12: erase deletes them, report shows them.
import { describe, expect, it } from 'vitest';
import { openChannels319 as openChannels } from '../../support/channels-319.ts';
import { listWrites } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

it('subscribers erase deletes connections and endpoints, and leaves shared ones', async () => {
  const rig = await openRig();
  const stored = openChannels(rig);
  const { code, stdout } = await rig.svc(words`subscribers erase u1 --yes --pending keep --json`);
  expect({ code, value: parsed(stdout) }).toMatchObject({
    code: 0,
    value: [{ removed: expect.arrayContaining(['channels', 'subscriber']) }],
  });
  expect(stored()).toEqual(['shared', 'conn-2']);
});

it('subscribers erase says that they are deleted', async () => {
  const rig = await openRig();
  openChannels(rig);
  const line = words`subscribers erase u1 --yes --pending keep`;
  const { stdout } = await rig.svc(line, { tty: true, columns: 300 });
  expect(stdout).toContain(
    '\n  channels: connections and endpoints deleted; the lists are empty\n',
  );
});

it('subscribers erase keeps the subscriber while a connection is left', async () => {
  const rig = await openRig();
  openChannels(rig, { keeps: 'conn-1' });
  const { code, stdout } = await rig.svc(words`subscribers erase u1 --yes --pending keep --json`);
  expect({ code, value: parsed(stdout) }).toMatchObject({
    code: 3,
    value: [{ left: expect.arrayContaining(['channels', 'subscriber']) }],
  });
});

it('subscribers erase stops if the service lists the connections of others', async () => {
  const rig = await openRig();
  const stored = openChannels(rig, { ignoresFilter: true });
  const { code, stderr } = await rig.svc(words`subscribers erase u1 --yes --pending keep`);
  expect(code).toBe(6);
  expect(stderr).toContain('listed the channel conn-2, which does not belong to the subscriber');
  expect(stored()).toHaveLength(4);
});

/** Responses to the lists: of a server that lacks them, closes them to keys, or has their feature turned off. */
const refusals = {
  'lacks them': { status: 404, message: 'Cannot GET /v1/channel-connections' },
  'closes them to keys': { status: 401, message: 'API endpoint not accessible' },
  'has turned them off': { status: 404, message: 'Feature not enabled' },
};

describe.each(Object.entries(refusals))('a server that %s', (_name, { status, message }) => {
  const openOlder = async () => {
    const rig = await openRig();
    rig.answerBy(({ url: { pathname } }) => {
      if (!pathname.startsWith('/v1/channel-')) return undefined;
      const timestamp = '2026-01-15T12:00:00.000Z';
      return { status, body: { statusCode: status, timestamp, path: pathname, message } };
    });
    return rig;
  };

  it('is asked once for a list and for several ids', async () => {
    const rig = await openOlder();
    const list = writeInput(rig, 'ids.txt', 'u6\nu7\nu8\n');
    const more = ['--yes', '--pending', 'keep', '--json'];
    for (const people of [
      ['--file', list],
      ['u3', 'u4'],
    ]) {
      const { code, requests } = await rig.svc(['subscribers', 'erase', ...people, ...more]);
      expect(code).toBe(0);
      expect(requests.filter(({ line }) => line.includes('/v1/channel-'))).toHaveLength(1);
    }
  });

  it('has no connections and endpoints in a report', async () => {
    const { svc } = await openOlder();
    const { code, stdout, stderr } = await svc(['subscribers', 'report', 'u1', '--json']);
    expect({ code, stderr, report: parsed(stdout) }).toMatchObject({
      ...{ code: 0, stderr: '' },
      report: { connections: [], endpoints: [], unreadable: [] },
    });
  });
});

it('a 404 of a gateway stops subscribers erase', async () => {
  const rig = await openRig();
  rig.answerBy(({ url }) =>
    url.pathname.startsWith('/v1/channel-') ? { status: 404, text: 'no such page' } : undefined,
  );
  const { code, requests } = await rig.svc(['subscribers', 'erase', 'u6', '--yes']);
  expect(code).not.toBe(0);
  expect(listWrites(requests)).toEqual([]);
});

it('subscribers erase names the connections and endpoints before it asks', async () => {
  const rig = await openRig();
  const stored = openChannels(rig);
  const { stderr } = await rig.svc(['subscribers', 'erase', 'u1', '--pending', 'keep']);
  expect(stderr).toContain(', 1 connection, 1 endpoint.');
  expect(stored()).toHaveLength(4);
});

it('subscribers report stops if the service lists the connections of others', async () => {
  const rig = await openRig();
  openChannels(rig, { ignoresFilter: true });
  const { code, stdout } = await rig.svc(['subscribers', 'report', 'u1', '--json']);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
});

it('subscribers report shows them, with masked tokens', async () => {
  const rig = await openRig();
  openChannels(rig);
  const { code, stdout } = await rig.svc(['subscribers', 'report', 'u1', '--json']);
  expect({ code, report: parsed(stdout) }).toMatchObject({
    code: 0,
    report: {
      connections: [{ identifier: 'conn-1' }],
      endpoints: [{ identifier: 'end-1' }],
      unreadable: [],
    },
  });
  expect(stdout).not.toContain('xoxb-');
});
