// Since 3.12, a subscriber can have several subscriptions in a topic, with identifiers, names and choices of workflows.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { createSubscriptions319 } from '../../support/subscriptions-319.ts';
import { words } from '../../support/words.ts';

const condition = { '===': [{ var: 'payload.tier' }, 'premium'] };

async function openTopic() {
  const rig = await openRig();
  const { all, answer } = createSubscriptions319();
  rig.answerBy(answer);
  await rig.svc(['topics', 'create', 'news']);
  await rig.svc(['topics', 'subscribe', 'news', 'u1', 'u2']);
  return { rig, all };
}

const second = words`
  topics subscribe news u1 --identifier u1-premium --name Premium --workflow welcome --workflow
  digest=off --condition ${JSON.stringify(condition)}
`;

it('topics subscribe sends an identifier, a name, and the choice of workflows', async () => {
  const { rig, all } = await openTopic();
  const { code, stdout, requests } = await rig.svc(second, { tty: true });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('Subscribed 1 subscriber to news'),
  });
  expect(requests.at(-1)?.body).toEqual({
    subscriptions: [{ identifier: 'u1-premium', subscriberId: 'u1', name: 'Premium' }],
    preferences: [
      { workflowId: 'welcome', enabled: true, condition },
      { workflowId: 'digest', enabled: false, condition },
    ],
  });
  expect(all.map(({ identifier }) => identifier)).toEqual([
    'tk_news:si_u1',
    'tk_news:si_u2',
    'u1-premium',
  ]);
});

it.each([
  [['--condition', '{}'], '--condition needs --workflow <id>'],
  [['u2', '--identifier', 'x'], '--identifier names one subscription, but 2 subscribers'],
  [['--workflow', 'welcome=off', '--workflow', 'welcome'], '--workflow names `welcome` twice.'],
  [['--workflow', 'welcome=maybe'], '`welcome=maybe` must be a workflow, or a workflow and =off'],
  [['--workflow', 'welcome', '--condition', '[]'], '--condition must be a JSON object'],
])('topics subscribe refuses %j', async (options, text) => {
  const { rig } = await openTopic();
  const { code, stderr, requests } = await rig.svc(words`topics subscribe news u1 ${options}`);
  expect({ code, requests }).toEqual({ code: 2, requests: [] });
  expect(stderr).toContain(text);
});

it('topics subscribe names a workflow whose choice was not stored', async () => {
  const { rig } = await openTopic();
  const line = ['topics', 'subscribe', 'news', 'u1', '--identifier', 'x', '--workflow', 'none'];
  const { code, stdout, stderr } = await rig.svc(line);
  expect(code).toBe(3);
  expect(stdout + stderr).toContain('none: the choice was not stored: the workflow does not exist');
});

it('topics subscribe refuses an identifier that another subscriber has', async () => {
  const { rig } = await openTopic();
  await rig.svc(second);
  const line = ['topics', 'subscribe', 'news', 'u2', '--identifier', 'u1-premium'];
  const { code, stdout, stderr } = await rig.svc(line);
  expect(code).toBe(6);
  expect(stdout + stderr).toContain('u2: E11000 duplicate key error');
});

it('topics subscribe says that an older server has no identifiers', async () => {
  const rig = await openRig();
  const { code, stderr } = await rig.svc(words`topics subscribe announcements u1 --name x`);
  expect(code).toBe(6);
  expect(stderr).toContain(
    'This server does not have subscriptions with identifiers, names or workflows: it needs version 3.12.',
  );
});

it('topics unsubscribe says that an older server has no identifiers', async () => {
  const rig = await openRig();
  const line = ['topics', 'unsubscribe', 'announcements', 'u1', '--identifier', 'x'];
  const { code, stderr } = await rig.svc(line);
  expect(code).toBe(6);
  expect(stderr).toContain('it needs version 3.12.');
});

it('topics subscribers and subscribers topics name subscriptions, and print each id once', async () => {
  const { rig } = await openTopic();
  const plain = await rig.svc(['topics', 'subscribers', 'news'], { tty: true });
  expect(plain.stdout).not.toContain('IDENTIFIER');
  await rig.svc(second);
  const table = await rig.svc(['topics', 'subscribers', 'news'], { tty: true });
  expect(table.stdout).toMatch(/SUBSCRIBER .*IDENTIFIER/);
  expect(table.stdout).toMatch(/u1 .*u1-premium/);
  expect(table.stdout).not.toContain('tk_news');
  expect((await rig.svc(['topics', 'subscribers', 'news', '-o', 'ids'])).stdout).toBe('u1\nu2\n');
  expect((await rig.svc(['subscribers', 'topics', 'u1', '-o', 'ids'])).stdout).toBe('news\n');
  const items = parsed((await rig.svc(['topics', 'subscribers', 'news', '--json'])).stdout);
  expect(items).toMatchObject([
    { identifier: 'tk_news:si_u1' },
    { identifier: 'tk_news:si_u2' },
    { identifier: 'u1-premium', contextKeys: [] },
  ]);
});

it('topics unsubscribe says how many subscriptions it removed, or removes one of them', async () => {
  const { rig, all } = await openTopic();
  await rig.svc(second);
  const both = await rig.svc(['topics', 'unsubscribe', 'news', 'u1'], { tty: true });
  expect(both.stdout).toContain('Removed 1 subscriber (2 subscriptions) from news');
  await rig.svc(['topics', 'subscribe', 'news', 'u1']);
  await rig.svc(second);
  const one = ['topics', 'unsubscribe', 'news', 'u1', '--identifier', 'u1-premium'];
  expect((await rig.svc(one)).code).toBe(0);
  expect(all.map(({ identifier }) => identifier)).toEqual(['tk_news:si_u2', 'tk_news:si_u1']);
  const two = ['topics', 'unsubscribe', 'news', 'u1', 'u2', '--identifier', 'x'];
  expect(await rig.svc(two)).toMatchObject({ code: 2, requests: [] });
});

it('topics sync counts a subscriber with several subscriptions once', async () => {
  const { rig } = await openTopic();
  await rig.svc(second);
  writeInput(rig, 'ids.txt', 'u1\nu2\n');
  const { code, stdout } = await rig.svc(['topics', 'sync', 'news', 'ids.txt', '--json']);
  expect({ code, summary: parsed(stdout) }).toMatchObject({
    code: 0,
    summary: { rows: 0, unchanged: 2 },
  });
});

it('an export of subscriptions restores identifiers, names, contexts and choices', async () => {
  const { rig, all } = await openTopic();
  await rig.svc(second);
  all.push({
    ...{ topicKey: 'news', subscriberId: 'u2', identifier: 'tk_news:si_u2:ctx_tenant:acme' },
    ...{ contextKeys: ['tenant:acme'], preferences: [] },
  });
  const stored = structuredClone(all);
  const line = ['subscribers', 'export', 'people.ndjson', '--with', 'topics'];
  expect((await rig.svc(line)).code).toBe(0);
  const file = readFileSync(path.join(rig.folder, 'people.topics.csv'), 'utf8');
  expect(file.split('\n').slice(0, 2)).toEqual([
    'subscriberId,topicKey,identifier,name,contextKeys,preferences',
    'u1,news,,,,',
  ]);
  all.splice(0);
  const restored = await rig.svc(['topics', 'subscribe', '--file', 'people.topics.csv', '--json']);
  expect({ code: restored.code, summary: parsed(restored.stdout) }).toMatchObject({
    code: 0,
    summary: { rows: 4, subscribed: 4 },
  });
  const byIdentifier = (one: { identifier: string }, other: { identifier: string }) =>
    one.identifier.localeCompare(other.identifier);
  expect(all.sort(byIdentifier)).toEqual(stored.sort(byIdentifier));
  // Rows without identifiers are sent as every version understands them.
  expect(restored.requests.map(({ body }) => Object.keys(body ?? {}))).toContainEqual([
    'subscriberIds',
  ]);
});

it.each([
  ['contextKeys', 'tenant', 'contextKeys: must be contexts such as tenant:acme'],
  ['preferences', '{}', 'preferences: must be a JSON array of {workflowId, enabled, condition}'],
])('a row with invalid %s is rejected', async (column, value, reason) => {
  const { rig } = await openTopic();
  const file = `subscriberId,topicKey,${column}\nu1,news,${value}\nu2,news,\n`;
  writeInput(rig, 'topics.csv', file);
  const { code, stderr } = await rig.svc(['topics', 'subscribe', '--file', 'topics.csv']);
  expect(code).toBe(3);
  expect(stderr).toContain(reason);
});
