// The service rejects a list parameter with more than 20 values.
import { expect, it } from 'vitest';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openRecipients, trigger } from '../events/canary-rig.ts';

const most = 20;

/** Responds as the service does. A cancellation finds no jobs at first, so that svc reads the activity. */
function limitLists(rig: Rig, cancelsLater = false): void {
  const canceled = new Set<string>();
  rig.answerBy(({ method, url }) => {
    const names = [...new Set(url.searchParams.keys())];
    const long = names.find((name) => url.searchParams.getAll(name).length > most);
    if (long !== undefined) {
      const message = `each value in ${long} must be a string`;
      return { status: 422, body: { statusCode: 422, message } };
    }
    if (!cancelsLater || method !== 'DELETE' || canceled.has(url.pathname)) return undefined;
    canceled.add(url.pathname);
    return { status: 200, body: { data: false } };
  });
}

const longestList = (requests: { line: string }[]) =>
  Math.max(
    ...requests.map(
      ({ line }) =>
        new URL(line.split(' ')[1] ?? '', 'http://base').searchParams.getAll('transactionId')
          .length,
    ),
  );

it.each([
  ['runs', 'show', 'last', '--deliveries'],
  ['runs', 'watch', 'last', '--timeout', '1s'],
])('svc %s %s %s reads at most 20 transactions at a time', async (...line) => {
  const rig = await openRig();
  limitLists(rig);
  const event = '{"name":"welcome","to":"u1","payload":{}}\n';
  await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: event.repeat(45) });
  const { code, requests, stderr } = await rig.svc([...line, '--json']);
  expect({ code, stderr }).toMatchObject({
    code: expect.toSatisfy((exit) => exit === 0 || exit === 9),
  });
  expect(longestList(requests)).toBe(most);
});

it('svc events cancel --run cancels more than 20 transactions', async () => {
  const rig = await openRig();
  limitLists(rig, true);
  const event = '{"name":"trial-ending","to":"u1"}\n';
  await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: event.repeat(27) });
  const { code, stdout, requests } = await rig.svc(words`events cancel --run last --yes --json`);
  expect(parsed(stdout)).toMatchObject({ rows: 27, cancelled: 27 });
  expect(code).toBe(0);
  expect(longestList(requests)).toBe(most);
});

it('a canary can have more than 20 recipients', async () => {
  const { rig, file } = await openRecipients();
  limitLists(rig);
  const { code, stdout } = await rig.svc(trigger(file, '25'));
  expect(parsed(stdout)).toMatchObject({ canary: { sent: 25, delivered: 25 } });
  expect(code).toBe(0);
});

it('more than 20 transactions of svc activity list are merged, and more values of another filter are refused', async () => {
  const rig = await openRig();
  limitLists(rig);
  const options = (name: string) =>
    Array.from({ length: 21 }, (_, index) => [name, `x${index}`]).flat();
  const merged = await rig.svc(['activity', 'list', ...options('--transaction')]);
  expect(merged.code).toBe(0);
  const refused = await rig.svc(['activity', 'list', ...options('--subscriber')]);
  expect(refused).toMatchObject({ code: 2, requests: [] });
  expect(refused.stderr).toContain(
    '`subscriberIds` has 21 values, but the service accepts at most 20',
  );
});
