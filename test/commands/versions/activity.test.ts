// The activity of servers since 3.12: subscriptions to topics, and their conditions.
import { expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';

const ids = { _environmentId: 'e', _organizationId: 'o', _subscriberId: 's' };
const job = { _id: 'j', type: 'in_app', status: 'completed', executionDetails: [] };

interface Evaluation {
  subscriptionIdentifier: string;
  result: boolean;
  condition?: object;
}

const event = (transactionId: string, ...evaluations: Evaluation[]) => ({
  ...{ ...ids, _id: transactionId.padEnd(24, '0'), transactionId, jobs: [job] },
  createdAt: '2026-01-15T12:00:00.000Z',
  subscriber: { _id: 's', subscriberId: 'u1' },
  template: { name: 'News', triggers: [{ identifier: 'news' }] },
  topics: evaluations.map((preferenceEvaluation) => ({
    ...{ _topicId: 't', topicKey: 'news', _topicSubscriptionId: 'b'.repeat(24) },
    ...{ subscriptionIdentifier: preferenceEvaluation.subscriptionIdentifier },
    preferenceEvaluation,
  })),
});

const condition = { '==': [{ var: 'payload.tier' }, 'gold'] };
const sport = { subscriptionIdentifier: 'sport', result: true, condition };
const others = [
  { subscriptionIdentifier: 'culture', result: false, condition },
  { subscriptionIdentifier: 'all', result: true },
];

/** A server with two events, which filters by subscription unless it is an older one. */
function answerEvents(rig: Rig, isOlder = false): void {
  const events = [event('tx-sport', sport, ...others), event('tx-other', ...others)];
  rig.answerBy(({ url }) => {
    if (url.pathname !== '/v1/notifications') return undefined;
    const [subscription, transaction] = ['subscriptionId', 'transactionId'].map((name) =>
      url.searchParams.get(name),
    );
    const data = events.filter(
      ({ transactionId, topics }) =>
        (transaction === null || transaction === transactionId) &&
        (isOlder ||
          subscription === null ||
          topics.some((topic) => topic.subscriptionIdentifier === subscription)),
    );
    return { status: 200, body: { data, page: 0, pageSize: 10, hasMore: false } };
  });
}

it.each(['list', 'stats', 'export'])('svc activity %s filters by subscription', async (verb) => {
  const rig = await openRig();
  answerEvents(rig);
  const line = ['activity', verb, ...(verb === 'export' ? ['-'] : []), '--subscription', 'sport'];
  const { code, stdout, requests } = await rig.svc(line);
  expect(code).toBe(0);
  const listed = requests.filter(({ line }) => line.startsWith('GET /v1/notifications?'));
  const filters = listed.map(({ line }) =>
    new URLSearchParams(line.split('?')[1]).get('subscriptionId'),
  );
  expect(new Set(filters)).toEqual(new Set(['sport']));
  if (verb === 'stats') return;
  expect(stdout).toContain('tx-sport');
  expect(stdout).not.toContain('tx-other');
});

it('a server that ignores the filter does not offer it', async () => {
  const rig = await openRig();
  answerEvents(rig, true);
  const { code, stdout, stderr } = await rig.svc(['activity', 'list', '--subscription', 'sport']);
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toContain('does not offer GET /v1/notifications with subscriptionId.');
});

it('svc activity get and explain say which conditions were met', async () => {
  const rig = await openRig();
  answerEvents(rig);
  const terminal = { tty: true, columns: 120 };
  const { stdout } = await rig.svc(['activity', 'get', 'tx-sport'], terminal);
  expect(stdout).toMatch(/u1 +topic +the condition of the subscription `sport` was met/);
  expect(stdout).toMatch(/ {2}topic +the condition of the subscription `culture` was not met/);
  expect(stdout).not.toContain('subscription `all`');
  const explain = ['activity', 'explain', 'u1', '--transaction', 'tx-sport'];
  const explained = await rig.svc(explain, terminal);
  expect(explained.stdout).toContain('the condition of the subscription `culture` was not met');
});
