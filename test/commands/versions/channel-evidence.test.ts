// `svc activity explain` for steps that reach a subscriber through channel endpoints, on servers since 3.12.
import { expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import type { Explained } from '../activity/explain-rig.ts';

const step = (type: 'chat' | 'tool' | 'push') => ({
  ...{ stepId: type, type },
  controlValues: { body: 'Hello', ...(type === 'push' ? { subject: 'Hi' } : {}) },
});

/** A sandbox with a workflow for each channel, for the subscriber `李`, who has nothing else. */
async function open() {
  const integration = (identifier: string, providerId: string, channel: 'chat' | 'tool') => ({
    ...{ identifier, name: identifier, providerId, channel, credentials: {} },
  });
  const rig = await openRig({
    service: '3.19',
    seed: {
      version: 1,
      service: '3.19',
      environments: [
        {
          name: 'Development',
          integrations: [
            integration('hooks', 'discord', 'chat'),
            integration('on-call', 'pagerduty', 'tool'),
          ],
          workflows: [
            ...(['chat', 'tool', 'push'] as const).map((type) => ({
              ...{ workflowId: type, name: type, steps: [step(type)] },
            })),
            { workflowId: 'both', name: 'Both', steps: [step('chat'), step('push')] },
          ],
          subscribers: [{ subscriberId: '李' }],
        },
      ],
    },
  });
  const run = async (line: string[]) => {
    const { code, stderr, stdout, requests } = await rig.svc(line);
    expect({ line, code, stderr }).toMatchObject({ code: 0 });
    return { stdout, requests };
  };
  const addWebhook = (identifier: string, url: string, ...more: string[]) =>
    run([
      ...words`subscribers channels set 李 --integration hooks --type webhook`,
      ...['--identifier', identifier, '--endpoint', `url=${url}`, '--yes', ...more],
    ]);
  let triggered = 0;
  const explain = async (workflow: string) => {
    triggered += 1;
    await run(
      words`events trigger ${workflow} --to 李 --transaction-id t-${String(triggered)} --yes --json`,
    );
    const { stdout, code, requests } = await rig.svc(
      words`activity explain 李 --workflow ${workflow} --json`,
    );
    expect(requests.length).toBeLessThanOrEqual(6);
    const { channels } = parsed(stdout) as unknown as Explained;
    return { code, channels, ...channels[0] };
  };
  return { run, addWebhook, explain };
}

it('says that a subscriber has neither credentials nor endpoints', async () => {
  const { explain } = await open();
  expect(await explain('chat')).toMatchObject({
    cause: 'missing_channel',
    evidence: [
      expect.stringContaining('does not have a configured channel'),
      'now: the subscriber has no credentials for chat or push',
      'now: the subscriber has no channel endpoint for chat',
    ],
  });
});

it('names endpoints that were added since, and those for other contexts', async () => {
  const { explain, addWebhook } = await open();
  const url = 'https://hooks.example.com/a';
  await addWebhook('acme', url, '--context', 'tenant=acme');
  const one = 'now: the subscriber has the channel endpoint acme (discord), for tenant:acme';
  const first = await explain('chat');
  expect(first.evidence?.at(-1)).toBe(one);
  for (const index of [1, 2, 3, 4, 5]) await addWebhook(`team-${index}`, url, '--context', 'a=b');
  const all = (await explain('chat')).evidence ?? [];
  expect(all.filter((line) => line.includes('the channel endpoint team-'))).toHaveLength(5);
  expect(all.at(-1)).toBe('now: 1 more channel endpoint');
});

it('does not name endpoints for push, which has none', async () => {
  const { explain } = await open();
  for (const workflow of ['push', 'both'])
    expect((await explain(workflow)).channels.at(-1)).toMatchObject({
      channel: 'push',
      evidence: [
        expect.stringContaining('does not have a configured channel'),
        'now: the subscriber has no credentials for chat or push',
      ],
    });
});

it('a tool step without an endpoint of the subscriber has the cause missing_channel', async () => {
  const { explain } = await open();
  expect(await explain('tool')).toMatchObject({
    ...{ verdict: 'skipped', cause: 'missing_channel' },
    evidence: [expect.any(String), 'now: the subscriber has no channel endpoint for tool'],
    next: ["svc subscribers channels list '李'"],
  });
});

it('says which addresses a delivered message did not reach', async () => {
  const { run, explain, addWebhook } = await open();
  await addWebhook('bad', 'https://x.invalid/a');
  await addWebhook('good', 'https://hooks.example.com/a');
  const message =
    'The chat message was sent, but not to 1 of 2 addresses: Host not found: x.invalid.';
  expect(await explain('chat')).toMatchObject({ verdict: 'delivered', code: 0, message });
  const { stdout } = await run(words`events trigger chat --to 李 --yes --wait -o table`);
  expect(stdout).toContain('not to 1 of 2 addresses');
});
