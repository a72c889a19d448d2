// A run of events and a service with its activity, for the tests of `svc events resend`.
import { sentEvents } from '../../support/requests.ts';
import { parsed, type Ran, type Rig, writeInput } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import { words } from '../../support/words.ts';

export const row = (id: string) => `${id},${id}@example.com\n`;
export const toCsv = (ids: readonly string[]) => `subscriberId,email\n${ids.map(row).join('')}`;

export async function send(rig: Rig, ids: readonly string[], ...more: string[]) {
  const file = writeInput(rig, 'users.csv', toCsv(ids));
  const { stdout } = await rig.svc([
    ...['events', 'trigger', 'welcome', '--recipients', file, '--update-subscribers'],
    ...['--payload', '{"product":"svc"}', '--yes', '--json', ...more],
  ]);
  return { file, runId: String(parsed(stdout).runId) };
}

/** `broken` failed because of its template. */
export type Outcome = 'completed' | 'failed' | 'broken' | 'canceled' | 'queued' | undefined;
const details: Record<string, string> = {
  failed: 'Unexpected provider error',
  broken: 'Bridge execution failed',
};

/**
 * Responds to the activity listing. `outcome` has the statuses of the in-app and the e-mail job of the events of a
 * subscriber, by the number of the time that it was triggered; undefined for an event that is not in the activity. With
 * `hasMorePages`, the service says of each page with events that more follow.
 */
export function openActivity(
  rig: Rig,
  outcome: (subscriberId: string, time: number) => Outcome[] | undefined,
  accepts = () => true,
  hasMorePages = false,
) {
  const events: { id: string; subscriberId: string; time: number; event: Triggered }[] = [];
  rig.answerBy(({ method, url, body }) => {
    if (method === 'POST' && url.pathname === '/v1/events/trigger/bulk') {
      if (!accepts()) return unauthorized;
      const sent = (body as { events: Triggered[] }).events;
      for (const event of sent)
        for (const { subscriberId } of event.to)
          if (
            !events.some(
              (known) => known.id === event.transactionId && known.subscriberId === subscriberId,
            )
          ) {
            const time = 1 + events.filter((known) => known.subscriberId === subscriberId).length;
            events.push({ id: event.transactionId, subscriberId, time, event });
          }
      const value = sent.map(({ transactionId }) => ({
        acknowledged: true,
        status: 'processed',
        transactionId,
      }));
      return { status: 201, body: { data: value } };
    }
    if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
    const ids = url.searchParams.getAll('transactionId');
    const data = events
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, subscriberId, time }) => {
        const statuses = outcome(subscriberId, time);
        if (!statuses) return [];
        const jobs = statuses.map((status, index) => ({
          _id: `j${index}`,
          type: index === 0 ? 'in_app' : 'email',
          status: status === 'broken' ? 'failed' : status,
          executionDetails: [details[status ?? '']].flatMap((detail) =>
            detail === undefined ? [] : { _id: 'd', status: 'Failed', detail, raw: '550' },
          ),
        }));
        return [
          { _id: `${id}-${subscriberId}`, transactionId: id, _subscriberId: subscriberId, jobs },
        ];
      });
    const hasMore = hasMorePages && data.length > 0;
    return { status: 200, body: { page: 0, pageSize: 50, hasMore, data } };
  });
  return events;
}

interface Triggered {
  name: string;
  to: { subscriberId: string }[];
  payload: object;
  transactionId: string;
}

export const sentRecipients = (ran: Ran) =>
  sentEvents(ran.requests).flatMap(({ to }) => to.map(({ subscriberId }) => subscriberId));

export const resend = (...more: string[]) => words`events resend --run last --yes --json ${more}`;
