// The verdicts of `svc activity explain` for every event that was recorded from a real server.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itemsIn, type RecordedItem } from '../support/recorded/corpus.ts';
import { openRig, parsed } from '../support/rig.ts';

const folder = 'test/recorded/corpus';

const files = [
  ...readdirSync(folder).map((name) => `${folder}/${name}`),
  'test/recorded/skipped-steps.json',
];
const items = files.flatMap((file) => itemsIn(JSON.parse(readFileSync(file, 'utf8'))));

/** The cause that a detail names; the first one that a job has. */
const causes: Record<string, string> = {
  "The step was skipped as it fell outside the subscriber's schedule": 'schedule',
  'Step filtered by subscriber global preferences': 'global_preference',
  'Step filtered by subscriber workflow preferences': 'workflow_preference',
  'Step filtered by user preferences': 'workflow_default',
  'Subscriber missing email address': 'missing_email',
  'Subscriber missing phone number': 'missing_phone',
  'Subscriber does not have a configured channel': 'missing_channel',
  'Bridge execution failed': 'template_error',
  'Bridge execution skipped': 'condition',
  'Unexpected provider error': 'provider_error',
  'Subscriber does not have an active integration': 'no_active_integration',
};
const channels = ['in_app', 'email', 'sms', 'chat', 'push'];

describe('recorded events', () => {
  it('are many, also of steps that a condition skipped', () => {
    expect(items.length).toBeGreaterThan(50);
    expect(JSON.stringify(items)).toContain('Bridge execution skipped');
  });

  it('have a verdict for each channel step, and a cause unless it was delivered', async () => {
    const { svc, answerBy } = await openRig();
    let item: RecordedItem | undefined;
    answerBy(({ url }) =>
      url.pathname === '/v1/notifications'
        ? { status: 200, body: { data: [item], page: 0, pageSize: 1, hasMore: false } }
        : { status: 404, body: { statusCode: 404, message: `Cannot GET ${url.pathname}` } },
    );
    for (item of items) {
      const { subscriberId = 'u1' } = item.subscriber ?? {};
      const { stdout, code } = await svc(['activity', 'explain', subscriberId, '--json']);
      const verdicts = parsed(stdout).channels as {
        channel: string;
        cause: string;
        verdict: string;
      }[];
      const jobs = item.jobs.filter(({ type }) => channels.includes(type));
      expect(verdicts.map(({ channel }) => channel)).toEqual(jobs.map(({ type }) => type));
      for (const [index, { status, executionDetails }] of jobs.entries()) {
        const { verdict, cause } = verdicts[index] ?? {};
        const details = executionDetails.map(({ detail }) => detail);
        const [expected] = Object.entries(causes).flatMap(([detail, name]) =>
          details.includes(detail) ? [name] : [],
        );
        if (status === 'completed')
          expect({ verdict, cause }).toEqual({ verdict: 'delivered', cause: null });
        else if (status === 'merged')
          expect({ verdict, cause }).toEqual({ verdict: 'skipped', cause: 'digest_merged' });
        else if (expected === undefined)
          expect(cause, JSON.stringify(item)).toMatch(
            /^(canceled|throttled|halted|digest_waiting|delayed_until)$/,
          );
        else
          expect({ verdict, cause }).toEqual({
            verdict: status === 'failed' ? 'failed' : 'skipped',
            cause: expected,
          });
      }
      expect(code).toBe(
        verdicts.length > 0 && verdicts.every(({ verdict }) => verdict === 'delivered') ? 0 : 9,
      );
    }
  });
});
