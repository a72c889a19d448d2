// The routes of the page: views for a browser with a session, and the actions of their forms. Loaded with the first
// request for the page.
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Child } from 'hono/jsx';
import type { NotEmulatedRoute } from '../control-client/schemas.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { firstDueJob } from '../store/due-jobs.ts';
import { listStoredEnvironments } from '../store/environments.ts';
import { listedEvent } from '../store/page-events.ts';
import { type ListedMessage, listedMessage } from '../store/page-messages.ts';
import type { Store } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { readJson } from '../values/request-body.ts';
import { toIso } from '../values/time-range.ts';
import { ActivityView } from './activity.tsx';
import type { Changes } from './changes.ts';
import { advanceClock } from './clock-form.ts';
import { ClosedPage, InvalidLinkPage, OpenedPage } from './closed.tsx';
import { emailDocument } from './email-document.ts';
import { readFilters } from './filters.tsx';
import { emailHeaders, isFromPage, isOwnForm, pageHeaders, usesLoopback } from './guard.ts';
import { InboxView } from './inbox.tsx';
import { MessagesView } from './messages.tsx';
import { MissingView } from './missing.tsx';
import script from './script.js?text';
import type { PageSession, PageSessions } from './sessions.ts';
import { style } from './style/index.ts';
import type { Place, View } from './view.ts';

export interface PageOptions {
  store: Store;
  scheduler: Scheduler;
  sessions: PageSessions;
  changes: Changes;
  /** The address of the sandbox. Its port is part of the name of the cookie. */
  baseUrl: string;
  profile?: string | undefined;
  notEmulatedRoutes(): readonly NotEmulatedRoute[];
}

type Variables = { session: PageSession };

const formLimit = 10_000;

/** Without comments and indentation. */
const servedScript = script.replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/)?\s*/gm, '');

export function createPage(options: PageOptions): (request: Request) => Promise<Response> {
  const { store, scheduler, sessions, changes, baseUrl, profile } = options;
  const app = new Hono<{ Variables: Variables }>();
  const place: Place = { port: new URL(baseUrl).port || '80', profile };
  const cookieName = `svc_page_${place.port}`;

  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
    if (!usesLoopback(c.req.raw)) return c.text('The page is only available on loopback.', 404);
    if (!isFromPage(c.req.raw)) return c.text('Other sites cannot use this page.', 403);
    return next();
  });
  app.get('/page/style.css', (c) =>
    c.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );
  app.get('/page/script.js', (c) =>
    c.body(servedScript, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  app.get('/page/open', (c) => {
    const cookie = sessions.redeem(c.req.query('link') ?? '');
    if (cookie === undefined) return html(c, <InvalidLinkPage place={place} />, 403);
    setCookie(c, cookieName, cookie, { path: '/', httpOnly: true, sameSite: 'Strict' });
    c.header('refresh', '0; url=/');
    return html(c, <OpenedPage place={place} />);
  });

  app.use(async (c, next) => {
    const session = sessions.find(getCookie(c, cookieName));
    if (!session) return html(c, <ClosedPage place={place} />, 403);
    c.set('session', session);
    return next();
  });

  const viewOf = (c: Context<{ Variables: Variables }>): View => {
    const { environmentId, token } = c.get('session');
    scheduler.catchUp();
    const url = new URL(c.req.url);
    const due = firstDueJob(store.sql)?.due_at;
    const environment = listStoredEnvironments(store.sql).find(({ id }) => id === environmentId);
    return {
      scope: store.scope(environmentId),
      place,
      environment: environment?.name ?? 'Deleted environment',
      token,
      now: new Date(store.clock.now()).toISOString(),
      isFrozen: store.clock.isFrozen(),
      nextDue: due === undefined ? undefined : toIso(due),
      location: `${url.pathname}${url.search}`,
      notice: takeNotice(c.get('session')),
      notEmulated: options.notEmulatedRoutes(),
    };
  };
  const missing = (c: Context<{ Variables: Variables }>, text: string) =>
    html(c, <MissingView view={viewOf(c)} text={text} />, 404);
  const messageOf = (c: Context<{ Variables: Variables }>): ListedMessage | undefined => {
    scheduler.catchUp();
    return listedMessage(store.scope(c.get('session').environmentId), c.req.param('id') ?? '');
  };

  app.get('/', (c) => {
    const filters = readFilters((name) => c.req.query(name));
    return html(
      c,
      <MessagesView view={viewOf(c)} filters={filters} before={c.req.query('before')} />,
    );
  });
  app.get('/page/messages/:id', (c) => {
    const opened = messageOf(c);
    if (!opened) return missing(c, 'This message does not exist.');
    const filters = readFilters((name) => c.req.query(name));
    const props = { view: viewOf(c), filters, before: c.req.query('before'), opened };
    return html(c, <MessagesView {...props} />);
  });
  app.get('/page/messages/:id/email', (c) => {
    const message = messageOf(c);
    if (message?.channel !== 'email') return missing(c, 'This e-mail does not exist.');
    for (const [name, value] of Object.entries(emailHeaders)) c.header(name, value);
    return c.html(emailDocument(message.content).html);
  });
  app.get('/page/messages/:id/source', (c) => {
    const message = messageOf(c);
    return message ? c.text(message.content) : missing(c, 'This message does not exist.');
  });
  app.get('/page/inbox/:subscriberId?', (c) => {
    const view = viewOf(c);
    const subscriberId = c.req.param('subscriberId');
    const opened =
      subscriberId === undefined ? undefined : findSubscriber(view.scope, subscriberId);
    if (subscriberId !== undefined && !opened) return missing(c, 'This subscriber does not exist.');
    const props = { view, text: c.req.query('q')?.trim(), before: c.req.query('before') };
    return html(c, <InboxView {...props} {...(opened ? { opened } : {})} />);
  });
  app.get('/page/activity/:transactionId?', (c) => {
    const view = viewOf(c);
    const transactionId = c.req.param('transactionId');
    const opened = transactionId === undefined ? undefined : listedEvent(view.scope, transactionId);
    if (transactionId !== undefined && !opened) return missing(c, 'This event does not exist.');
    const place = (name: string) => Number.parseInt(c.req.query(name) ?? '', 10) || undefined;
    const props = { view, text: c.req.query('q')?.trim(), before: place('before') };
    return html(
      c,
      <ActivityView {...props} after={place('after')} {...(opened ? { opened } : {})} />,
    );
  });
  app.get('/page/live', () => {
    const response = changes.stream();
    for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
    return response;
  });
  app.post('/page/clock', async (c) => {
    const session = c.get('session');
    const form = (await readJson(c.req.raw, formLimit)) as Record<string, unknown>;
    if (!isOwnForm(c.req.raw, session, form.token))
      return c.text('This form was not sent by the page of the sandbox.', 403);
    const notice = advanceClock(store, scheduler, form.advance);
    if (notice === undefined)
      return c.text('advance must be a number of milliseconds, or next', 400);
    session.notice = notice;
    return c.redirect(ownPath(form.back), 303);
  });
  app.notFound((c) => missing(c, 'This page does not exist.'));
  app.onError((error) => {
    throw error;
  });
  return async (request) => app.fetch(request);
}

const html = (c: Context, page: Child, status: 200 | 403 | 404 = 200) =>
  c.html(`<!doctype html>${String(page)}`, status);

/** Returns the result of the last action once. */
function takeNotice(session: PageSession): string | undefined {
  const { notice } = session;
  session.notice = undefined;
  return notice;
}

/** A path of the page; `/` for anything else. */
function ownPath(path: unknown): string {
  if (typeof path !== 'string' || !URL.canParse(path, 'http://page.invalid')) return '/';
  const { origin, pathname, search } = new URL(path, 'http://page.invalid');
  const isOwn = pathname === '/' || pathname.startsWith('/page/');
  return origin === 'http://page.invalid' && isOwn ? `${pathname}${search}` : '/';
}
