import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import {
  type Outcome,
  openActivity,
  resend,
  row,
  send,
  sentRecipients,
  toCsv,
} from './resend-rig.ts';

const outcomes: Record<string, Outcome[] | undefined> = {
  good: ['completed', 'completed'],
  none: ['failed', 'failed'],
  half: ['completed', 'failed'],
  off: ['canceled', 'canceled'],
  open: ['completed', 'queued'],
  absent: undefined,
};
const ids = Object.keys(outcomes);

describe('events resend', () => {
  it('triggers the same events again for the recipients that got nothing', async () => {
    const rig = await openRig();
    const events = openActivity(rig, (id) => outcomes[id]);
    const { runId } = await send(rig, ids);
    const ran = await rig.svc(resend());
    expect(ran.code).toBe(0);
    expect(parsed(ran.stdout)).toMatchObject({
      ...{ origin: runId, runId: `${runId}-resend-1`, rows: 1, triggered: 1, unfinished: 2 },
    });
    const [event] = sentEvents(ran.requests);
    const first = events.find(({ subscriberId }) => subscriberId === 'none');
    expect(event).toEqual({
      ...first?.event,
      to: [{ subscriberId: 'none' }],
      transactionId: expect.not.stringMatching(String(first?.id)),
    });
  });

  it.each([
    ['the ids of recipients and actor alone', [], undefined],
    ['their fields again with --update-subscribers', ['--update-subscribers'], 'old@example.com'],
  ])('sends %s, so that a corrected address stays', async (_name, more, email) => {
    const rig = await openRig();
    openActivity(rig, () => ['failed', 'failed']);
    const events = ['u1', 'u2'].map((subscriberId) => ({
      ...{ name: 'welcome', payload: { product: 'svc' } },
      to: [{ subscriberId, email: 'old@example.com' }, 'u3'],
      actor: { subscriberId: 'boss', email: 'old@example.com' },
    }));
    const file = writeInput(rig, 'events.ndjson', events.map((e) => JSON.stringify(e)).join('\n'));
    await rig.svc(['events', 'trigger', '--file', file, '--yes']);
    const sent = sentEvents((await rig.svc(resend(...more))).requests);
    expect(sent.flatMap(({ to }) => to[0]?.subscriberId).sort()).toEqual(['u1', 'u2', 'u3', 'u3']);
    for (const event of sent) {
      const [{ subscriberId } = { subscriberId: '' }] = event.to;
      const fields = email === undefined ? {} : { email };
      expect(event.to).toEqual([
        subscriberId === 'u3' ? { subscriberId } : { subscriberId, ...fields },
      ]);
      expect(event).toMatchObject({ actor: { subscriberId: 'boss', ...fields } });
      expect(JSON.stringify(event).includes('old@')).toBe(email !== undefined);
    }
  });

  it('--only failed also takes those with a delivered message, and the question counts these', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => outcomes[id]);
    await send(rig, ids);
    const asked = await rig.svc(['events', 'resend', '--run', 'last', '--only', 'failed'], {
      tty: true,
      stdin: 'n\n',
      columns: 200,
    });
    expect(asked.stderr).toContain('1 message that was delivered will be sent again.');
    expect(asked.stderr).toContain('Left out: 2 recipients not finished yet.');
    expect(sentEvents(asked.requests)).toEqual([]);
    const ran = await rig.svc(resend('--only', 'failed'));
    expect(sentRecipients(ran)).toEqual(['none', 'half']);
  });

  it('--cause takes those with this cause', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => outcomes[id]);
    const { runId } = await send(rig, ids);
    const none = await rig.svc(resend('--cause', 'template_error'));
    expect(none.code).toBe(0);
    expect(parsed(none.stdout)).toEqual({
      ...{ origin: runId, runId: null, rows: 0, triggered: 0, unfinished: 2 },
    });
    expect(sentRecipients(await rig.svc(resend('--cause', 'provider_error')))).toEqual(['none']);
  });

  it('says so if there is nothing to resend, and proposes to follow what it resent', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => outcomes[id]);
    const { runId } = await send(rig, ids);
    const line = resend('--cause', 'template_error').filter((word) => word !== '--json');
    const sentence = `: run ${runId} has no recipient who is finished and undelivered; 2 are not finished.`;
    const piped = await rig.svc(line);
    expect(piped.stdout).toBe(`origin\t${runId}\nrunId\t\nrows\t0\ntriggered\t0\nunfinished\t2\n`);
    expect(piped.stderr).toContain(sentence);
    const printed = await rig.svc(line, { tty: true, columns: 200 });
    expect(printed.written.split(sentence)).toHaveLength(2);
    const sent = await rig.svc(
      resend().filter((word) => word !== '--json'),
      { tty: true, columns: 200 },
    );
    expect(sent.stderr.split('\n').slice(0, 3)).toEqual([
      `Run ${runId}: 1 recipient to resend to.`,
      'Left out: 2 recipients not finished yet. Resend to them later with --again.',
      '1 recipient with a failed message also got a delivered message: --only failed resends to them, too.',
    ]);
    expect(sent.stdout).toMatch(/\nFollow the deliveries: svc runs watch \S+-resend-1\n$/);
  });

  it('sends the valid rows of a file with blank and invalid ones', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const file = writeInput(rig, 'users.csv', `${toCsv(['a'])}\n,\n,x@example.com\n${row('b')}`);
    const line = ['events', 'trigger', 'welcome', '--recipients', file, '--yes'];
    expect((await rig.svc(line)).code).toBe(3);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
  });

  it('sends the valid events of a file with blank and invalid ones', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const event = (id: string) =>
      JSON.stringify({ name: 'welcome', to: [{ subscriberId: id }], payload: { product: 'svc' } });
    const lines = [event('a'), '', '{broken', '7', event('b')];
    const file = writeInput(rig, 'events.ndjson', lines.join('\n'));
    expect((await rig.svc(['events', 'trigger', '--file', file, '--yes'])).code).toBe(3);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
  });

  it('sends one of several recipients of an event with its own fields', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => [id === 'b' ? 'failed' : 'completed']);
    const to = ['a', 'b'].map((id) => ({ subscriberId: id, email: `${id}@example.com` }));
    const event = JSON.stringify({ name: 'welcome', to, payload: { product: 'svc' } });
    const file = writeInput(rig, 'events.ndjson', event);
    expect((await rig.svc(['events', 'trigger', '--file', file, '--yes'])).code).toBe(0);
    const [resent, ...others] = sentEvents(
      (await rig.svc(resend('--update-subscribers'))).requests,
    );
    expect({ to: resent?.to, others }).toEqual({ to: [to[1]], others: [] });
  });

  it('resends to a subscriber of a topic alone', async () => {
    const rig = await openRig();
    await rig.svc(['topics', 'create', 'news']);
    for (const id of ['t1', 't2']) await rig.svc(['subscribers', 'create', id]);
    await rig.svc(['topics', 'subscribe', 'news', 't1', 't2']);
    const event = { name: 'welcome', to: [{ type: 'Topic', topicKey: 'news' }], payload: { n: 1 } };
    const file = writeInput(rig, 'events.ndjson', `${JSON.stringify(event)}\n`);
    await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const failed = { _id: 'j', type: 'email', status: 'failed', executionDetails: [] };
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
      const [transactionId] = url.searchParams.getAll('transactionId');
      const isOrigin = isFirst;
      isFirst = false;
      const data = ['t1', 't2'].map((id) => ({
        ...{ _id: id, transactionId, _subscriberId: id },
        jobs: [id === 't1' ? failed : { ...failed, status: 'completed' }],
      }));
      return {
        status: 200,
        body: { page: 0, pageSize: 50, hasMore: false, data: isOrigin ? data : [] },
      };
    });
    let isFirst = true;
    const [resent] = sentEvents((await rig.svc(resend())).requests);
    expect(resent).toMatchObject({
      name: 'welcome',
      to: [{ subscriberId: 't1' }],
      payload: { n: 1 },
    });
  });
});
