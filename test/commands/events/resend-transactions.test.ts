import { describe, expect, it } from 'vitest';
import type { RigOptions } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const lost = '--only without-jobs --since 1d -o ids'.split(' ');

/** Two events whose jobs are lost, and one that was delivered. */
async function openWithLostEvents() {
  const { svc } = await openSandboxRig();
  const run = async (line: string[]) => {
    const ran = await svc(line);
    expect(ran, line.join(' ')).toMatchObject({ code: 0 });
    return ran;
  };
  const trigger = (id: string) =>
    words`events trigger welcome --to u1 --transaction-id ${id} --yes`;
  await run([...trigger('sent'), '--payload', '{"product":"7"}']);
  await run(words`sandbox faults set --lose-jobs 100%`);
  for (const id of ['lost-1', 'lost-2'])
    await run([...trigger(id), '--payload', '{"product":"8"}', '--context', 'tenant=acme']);
  await run(words`sandbox faults clear`);
  await run(words`sandbox clock advance 1h`);
  return { svc, run };
}

describe('svc events resend --transactions', () => {
  it('triggers the events that an audit found again, once', async () => {
    const { svc, run } = await openWithLostEvents();
    const { code, stdout } = await svc(['activity', 'audit', ...lost]);
    expect({ code, ids: stdout.trim().split('\n').sort() }).toEqual({
      code: 9,
      ids: ['lost-1', 'lost-2'],
    });
    const resend = words`events resend --transactions - --yes`;
    const stdin = `${stdout}sent\nunknown\n`;
    const first = await svc(resend, { stdin });
    expect(first).toMatchObject({ code: 0 });
    const sent = first.requests.filter(({ line }) => line.startsWith('POST')).at(-1);
    const { events: [event] = [] } = (sent?.body ?? {}) as { events?: object[] };
    expect(sent?.body).toMatchObject({ events: [{}, {}] });
    expect(event).toMatchObject({
      ...{ name: 'welcome', to: [{ subscriberId: 'u1' }], payload: { product: '8' } },
      context: { tenant: 'acme' },
      transactionId: expect.stringMatching(/^txn_[0-9a-f]{24}$/),
    });
    await run(words`sandbox clock advance 1m`);
    const again = await svc(resend, { stdin });
    const repeated = again.requests.filter(({ line }) => line.startsWith('POST'));
    expect({ code: again.code, repeated }).toEqual({ code: 0, repeated: [] });
    expect(again.stderr).toContain('1 event left out: a message was delivered.');
    expect(again.stderr).toContain('svc does not send them again');
    await run(words`sandbox clock advance 1m`);
    const listed = await run(words`activity list --subscriber u1 --since 30m -o ids`);
    expect(listed.stdout.trim().split('\n')).toHaveLength(2);
  });

  it('fails if the activity has none of the transactions', async () => {
    const { svc } = await openSandboxRig();
    const stdin = 'kind,transactionId\nsilent,t1\n';
    const { code, stderr, requests } = await svc(words`events resend --transactions - --yes`, {
      stdin,
    });
    expect({ code, posts: requests.filter(({ line }) => line.startsWith('POST')) }).toEqual({
      ...{ code: 5, posts: [] },
    });
    expect(stderr).toContain('None of 2 transactions is in the activity.');
  });

  it('leaves out an event that waits until it is late', async () => {
    const digested = { stepId: 'd', type: 'digest', controlValues: { amount: 2, unit: 'hours' } };
    const email = { stepId: 'e', type: 'email', controlValues: { subject: 'Hi', body: 'Hi' } };
    const workflows = [{ workflowId: 'daily', steps: [digested, email] }];
    const ids = Array.from({ length: 12 }, (_unused, index) => `w-${index}`);
    const subscribers = ids.map((id) => ({ subscriberId: id, email: 'ada@example.com' }));
    const environments = [{ name: 'Development', workflows, subscribers }];
    const seed = { version: 1, environments } as NonNullable<RigOptions['seed']>;
    const { svc } = await openSandboxRig({}, { seed });
    const overrides = { email: { subject: 'Other' } };
    const trigger = async (prefix: string) => {
      for (const id of ids)
        await svc([
          ...words`events trigger daily --to ${id} --transaction-id ${prefix}${id} --yes`,
          ...['--overrides', JSON.stringify(overrides)],
        ]);
    };
    const resend = async (list: string) => {
      const line = words`events resend --transactions - --yes`;
      const ran = await svc(line, { stdin: list });
      const bodies = ran.requests.flatMap(({ line: sent, body }) =>
        sent.startsWith('POST') ? [body as { events: object[] }] : [],
      );
      const events = bodies.flatMap((body) => body.events);
      for (const event of events) expect(event).toMatchObject({ overrides });
      return { ...ran, sent: events.length };
    };
    await trigger('first-');
    const early = await resend(ids.map((id) => `first-${id}\n`).join(''));
    expect(early).toMatchObject({ code: 0, sent: 0 });
    expect(early.stderr).toContain(
      '12 events left out: a digest or delay has not ended, and is not late.',
    );
    await svc(words`sandbox clock advance 1d`);
    await svc(words`sandbox faults set --lose-jobs 30% --fault-seed 2`);
    await trigger('lost-');
    await svc(words`sandbox faults clear`);
    await svc(words`sandbox clock advance 3h`);
    const { stdout } = await svc(words`activity audit --since 4h --only overdue -o ids`);
    const overdue = stdout.trim().split('\n').length;
    expect(overdue).toBeGreaterThan(2);
    expect(await resend(stdout)).toMatchObject({ code: 0, sent: overdue });
  });

  it('asks, sends nothing in a dry run, and cannot be combined with a run', async () => {
    const { svc } = await openWithLostEvents();
    const stdin = 'lost-1\n';
    const writes = ({ requests }: { requests: { line: string }[] }) =>
      requests.filter(({ line }) => line.startsWith('POST'));
    const asked = await svc(words`events resend --transactions -`, { stdin });
    expect({ code: asked.code, writes: writes(asked) }).toEqual({ code: 2, writes: [] });
    expect(asked.stderr).toContain('Confirmation is required to trigger 1 event again');
    const dry = await svc(words`events resend --transactions - --dry-run`, { stdin });
    expect({ code: dry.code, writes: writes(dry) }).toEqual({ code: 0, writes: [] });
    const both = await svc(words`events resend --transactions - --run last`, { stdin });
    expect(both).toMatchObject({ code: 2, requests: [] });
  });
});
