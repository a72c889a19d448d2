// The actions of the forms of the page. Each form has the token of its session.
import type { Context, Hono } from 'hono';
import { counted } from '../../core/counts.ts';
import { unitMs } from '../../core/durations.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { firstDueJob } from '../store/due-jobs.ts';
import { latestMessageRow } from '../store/message-rows.ts';
import { removeMessages } from '../store/page-messages.ts';
import type { Store } from '../store/scope.ts';
import { readJsonOrForm } from '../values/request-body.ts';
import { boundTime } from '../values/time-range.ts';
import { clockTime, dateText } from './format.ts';
import { isOwnForm } from './guard.ts';
import type { Variables } from './routes.tsx';
import { readPayload, sendEvent } from './send-event.ts';
import type { PageSession } from './sessions.ts';
import { themes, workflowPath } from './view.ts';

/** A payload can be large. */
const formLimit = 1_000_000;

type Form = Record<string, unknown>;

/** Returns the path to go to, or the text of an error for requests that the page does not send. */
type Action = (
  session: PageSession,
  form: Form,
  parameters: Record<string, string>,
) => string | Promise<string>;

class InvalidForm extends Error {}

export function addActions(
  app: Hono<{ Variables: Variables }>,
  { store, scheduler }: { store: Store; scheduler: Scheduler },
): void {
  const action = (path: string, run: Action) =>
    app.post(path, async (c: Context<{ Variables: Variables }>) => {
      const session = c.get('session');
      const form = (await readJsonOrForm(c.req.raw, formLimit)) as Form;
      if (!isOwnForm(c.req.raw, session, form.token))
        return c.text('This form was not sent by the page of the sandbox.', 403);
      try {
        return c.redirect(await run(session, form, c.req.param() as Record<string, string>), 303);
      } catch (error) {
        if (!(error instanceof InvalidForm)) throw error;
        return c.text(error.message, 400);
      }
    });

  action('/page/clock', async (session, { advance, back }) => {
    const text = await advanceClock(store, scheduler, advance);
    if (text === undefined)
      throw new InvalidForm('advance must be a number of milliseconds, a time, or next');
    session.notice = { text };
    return ownPath(back);
  });
  action('/page/theme', (session, { theme, back }) => {
    session.theme = themes.find((name) => name === theme);
    return ownPath(back);
  });
  action('/page/delete-all', (session) => {
    const scope = store.scope(session.environmentId);
    const count = store.sql.transaction(() => removeMessages(scope));
    scheduler.afterWrite();
    session.notice = { text: `${counted(count, 'message')} deleted.` };
    return '/';
  });
  action('/page/send', (session, form) => {
    const sent = sendEvent(store, scheduler, store.scope(session.environmentId), form);
    if ('path' in sent) {
      session.notice = { text: 'The event was sent to the sandbox.' };
      return sent.path;
    }
    session.notice = { text: sent.problem, isProblem: true };
    return ownPath(form.back);
  });
  action('/page/workflows/:workflowId', (session, { payload, subscriber }, { workflowId = '' }) => {
    const read = readPayload(payload);
    if ('problem' in read) session.notice = { text: read.problem, isProblem: true };
    else
      session.previews.set(workflowId, {
        payload: typeof payload === 'string' ? payload : '{}',
        subscriber: typeof subscriber === 'string' ? subscriber.trim() : '',
      });
    return workflowPath(workflowId);
  });
}

/** A path of the page; `/` for anything else. */
function ownPath(path: unknown): string {
  if (typeof path !== 'string' || !URL.canParse(path, 'http://page.invalid')) return '/';
  const { origin, pathname, search } = new URL(path, 'http://page.invalid');
  const isOwn = pathname === '/' || pathname.startsWith('/page/');
  return origin === 'http://page.invalid' && isOwn ? `${pathname}${search}` : '/';
}

const maxAdvanceMs = 366 * unitMs.d;

/** Returns the result as a sentence; undefined if the value is not valid. */
async function advanceClock(
  { sql, clock }: Store,
  scheduler: Scheduler,
  requested: unknown,
): Promise<string | undefined> {
  await scheduler.settled();
  const now = clock.now();
  const due = firstDueJob(sql)?.due_at;
  if (requested === 'next' && due === undefined) return 'No digest or delay is waiting.';
  const isTime = typeof requested === 'string' && /^\d{4}-\d\d-\d\dT/.test(requested);
  const duration =
    requested === 'next'
      ? Number(due) - now
      : isTime
        ? Date.parse(requested) - now
        : Number(requested);
  if (isTime && duration <= 0) return 'That time is over.';
  if (!(duration > 0) || (requested !== 'next' && !isTime && duration > maxAdvanceMs))
    return undefined;
  const to = boundTime(now + duration);
  if (to === now) return 'The clock is at its end.';
  const before = latestMessageRow(sql);
  const jobsRun = await scheduler.advanceTo(now, Math.ceil(to));
  const iso = new Date(clock.now()).toISOString();
  const captured = latestMessageRow(sql) - before;
  const result =
    jobsRun === 0
      ? 'No step was due.'
      : `${counted(jobsRun, 'waiting step')} ended, ${counted(captured, 'message')} captured.`;
  return `Moved to ${clockTime(iso)} on ${dateText(iso)}. ${result}`;
}
