// One subscription by its identifier, on servers since 3.12.
import { expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';
import { createSubscriptions319 } from '../../support/subscriptions-319.ts';

const condition = { '===': [{ var: 'payload.tier' }, 'premium'] };

async function openTopic() {
  const rig = await openRig();
  const { all, answer } = createSubscriptions319();
  // Topic newz does not exist.
  rig.answerBy((request) =>
    request.url.pathname.endsWith('/newz/subscriptions') ? undefined : answer(request),
  );
  await rig.svc(['topics', 'create', 'news']);
  all.push({
    ...{ topicKey: 'news', subscriberId: 'u1', identifier: 'u1-premium', name: 'Premium' },
    ...{ contextKeys: ['tenant:acme'] },
    preferences: [
      { workflowId: 'welcome', condition },
      { workflowId: 'digest', enabled: false },
    ],
  });
  all.push({
    ...{ topicKey: 'news', subscriberId: 'u2', identifier: 'tk_news:si_u2' },
    ...{ contextKeys: [], preferences: [] },
  });
  return { svc: (...words: string[]) => rig.svc(['topics', 'subscriptions', ...words]), all };
}

it('get shows the name, the contexts and the choice of workflows', async () => {
  const { svc } = await openTopic();
  const { code, stdout } = await svc('get', 'news', 'u1-premium', '--json');
  expect({ code, value: parsed(stdout) }).toMatchObject({
    code: 0,
    value: { identifier: 'u1-premium', name: 'Premium', contextKeys: ['tenant:acme'] },
  });
});

it('get names the subscription of a subscriber, and similar identifiers', async () => {
  const { svc } = await openTopic();
  const bySubscriber = await svc('get', 'news', 'u2');
  expect(bySubscriber.code).toBe(5);
  expect(bySubscriber.stderr).toContain('Topic news has no subscription `u2`.');
  expect(bySubscriber.stderr).toContain('The subscriber u2 has 1 subscription: tk_news:si_u2.');
  expect((await svc('get', 'news', 'u1-premum')).stderr).toContain('u1-premium');
  const noTopic = await svc('get', 'newz', 'u1-premium');
  expect(noTopic.stderr).toContain('Topic `newz` does not exist.');
});

it('get and update say that an older server has none', async () => {
  const rig = await openRig();
  for (const words of [['get'], ['update', '--name', 'x']]) {
    const { code, stderr } = await rig.svc([
      'topics',
      'subscriptions',
      ...words,
      'announcements',
      'x',
    ]);
    expect(code).toBe(5);
    expect(stderr).toContain(
      'This server does not offer GET /v2/topics/announcements/subscriptions/x',
    );
  }
});

it('update changes the choice of one workflow and keeps the others', async () => {
  const { svc, all } = await openTopic();
  const line = ['update', 'news', 'u1-premium', '--name', 'Gold', '--workflow', 'digest'];
  const { code, stdout, requests } = await svc(...line);
  expect({ code, body: requests.at(-1)?.body }).toEqual({
    code: 0,
    body: {
      name: 'Gold',
      preferences: [
        { workflowId: 'welcome', enabled: true, condition },
        { workflowId: 'digest', enabled: true },
      ],
    },
  });
  expect(stdout).toContain('digest');
  expect(all[0]).toMatchObject({ name: 'Gold', preferences: [{}, { enabled: true }] });
  await svc('update', 'news', 'u1-premium', '--clear-workflows');
  expect(all[0]).toMatchObject({ name: 'Gold', preferences: [] });
});

it('update names a workflow whose choice was not stored', async () => {
  const { svc } = await openTopic();
  const { code, stdout, stderr } = await svc('update', 'news', 'u1-premium', '--workflow', 'none');
  expect(code).toBe(3);
  expect(stdout + stderr).toContain('none: the choice was not stored: the workflow does not exist');
});

it('update refuses to change nothing, and --dry-run sends nothing', async () => {
  const { svc, all } = await openTopic();
  expect(await svc('update', 'news', 'u1-premium')).toMatchObject({ code: 2, requests: [] });
  const { code, stdout } = await svc('update', 'news', 'u1-premium', '--name', 'x', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('PATCH');
  expect(all[0]?.name).toBe('Premium');
});
