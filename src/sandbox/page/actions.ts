// The actions of the forms of the page. Each form has the token of its session.
import type { Context, Hono } from 'hono';
import { unitMs } from '../../core/durations.ts';
import { asObject, type JsonObject } from '../../core/objects.ts';
import { counted } from '../../core/text.ts';
import { type PageSession, themes } from '../control/sessions.ts';
import { acceptEvent } from '../engine/accept-event.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { readJsonOrForm } from '../http/request-body.ts';
import { boundTime } from '../store/clock.ts';
import { submittedEvent } from '../store/events.ts';
import { firstDueJob } from '../store/jobs.ts';
import { findMessage, latestMessageRow, messagesOfTransaction } from '../store/messages.ts';
import { removeMessages } from '../store/page-messages.ts';
import type { Scope, Store } from '../store/scope.ts';
import { clockTime, dateText } from './format.ts';
import { isOwnForm } from './guard.ts';
import {
  eventPath,
  idsIn,
  linkTo,
  messagePath,
  messagesPath,
  type Variables,
  workflowPath,
} from './view.ts';
import { readPayload } from './workflow-preview.ts';

/** A payload can be large. */
const formLimit = 1_000_000;

/** Returns the path to go to, or the text of an error for requests that the page does not send. */
type Action = (
  session: PageSession,
  form: JsonObject,
  parameters: Record<string, string | undefined>,
) => string | Promise<string>;

class InvalidForm extends Error {}

export function addActions(
  app: Hono<{ Variables: Variables }>,
  { store, scheduler }: { store: Store; scheduler: Scheduler },
): void {
  const action = (path: string, run: Action) =>
    app.post(path, async (c: Context<{ Variables: Variables }>) => {
      const session = c.get('session');
      const form = (await readJsonOrForm(c.req.raw, formLimit)) as JsonObject;
      if (!isOwnForm(c.req.raw, session, form.token))
        return c.text('This form was not sent by the page of the sandbox.', 403);
      try {
        return c.redirect(await run(session, form, idsIn(c.req.param())), 303);
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
  action('/page/images', (session, { load, back }) => {
    session.loadsImages = load === 'yes';
    return ownPath(back);
  });
  action('/page/delete-all', (session) => {
    const scope = store.scope(session.environmentId);
    const count = store.sql.transaction(() => removeMessages(scope));
    store.committed();
    session.notice = { text: `${counted(count, 'message')} deleted.` };
    return messagesPath;
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

// Sends an event as a form of the page asks: one that was sent before, with another payload or to another subscriber.

/** The path that shows the result, or the reason why nothing was sent. */
type SentEvent = { path: string } | { problem: string };

function sendEvent(
  store: Store,
  scheduler: Scheduler,
  open: Scope,
  form: Record<string, unknown>,
): SentEvent {
  const payload = readPayload(form.payload);
  if ('problem' in payload) return payload;
  const to = trimmedText(form.subscriber);
  if (to === '') return { problem: 'The subscriber is missing.' };
  scheduler.catchUp();
  const transactionId = store.ids.transactionId();
  // The jobs are created at once, so that the new message can be shown.
  const scope = { ...open, jobsAt: undefined };
  const first = submittedEvent(scope, trimmedText(form.event));
  const event = {
    ...asObject(first),
    name: trimmedText(form.workflow),
    to,
    payload: payload.value,
    transactionId,
  };
  const { status, error } = store.sql.transaction(() => acceptEvent(scope, event));
  store.committed();
  if (status !== 'processed')
    return { problem: `The event was not accepted: ${error?.join('; ') ?? statusText(status)}.` };
  return { path: resultPath(scope, trimmedText(form.message), transactionId) };
}

const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

const statusText = (status: string) => status.replaceAll('_', ' ');

/** The new message of the same step, with the earlier one to compare; the event if the step did not send one yet. */
function resultPath(scope: Scope, earlierId: string, transactionId: string): string {
  const earlier = earlierId === '' ? undefined : findMessage(scope, earlierId);
  const messages = messagesOfTransaction(scope, transactionId);
  const created = messages.find(
    ({ messageTemplateId }) => messageTemplateId === earlier?.messageTemplateId,
  );
  return earlier && created
    ? linkTo(messagePath(created.id), { compare: earlier.id })
    : eventPath(transactionId);
}
