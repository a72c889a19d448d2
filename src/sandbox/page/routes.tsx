// The routes of the page: views for a browser with a session, and the actions of their forms. Loaded with the first
// request for the page.
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Child } from 'hono/jsx';
import type { RequestLog } from '../control/request-log.ts';
import type { NotEmulatedRoute } from '../control/schemas.ts';
import type { Notice, PageSession, PageSessions } from '../control/sessions.ts';
import type { PreviewStep } from '../engine/bridge-step.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { rememberEnvironment } from '../http/authorization.ts';
import { findEnvironment } from '../store/environments.ts';
import { listedEvent } from '../store/page-events.ts';
import { type ListedMessage, listedMessage } from '../store/page-messages.ts';
import { comingJobs } from '../store/page-overview.ts';
import type { Store } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { addActions } from './actions.ts';
import { ActivityView } from './activity.tsx';
import { servedScript, style } from './assets.ts';
import type { Changes } from './changes.ts';
import { emailDocument } from './email-document.ts';
import type { FileProblem } from './file-problems.tsx';
import { readEventFilters, readFilters } from './filters.tsx';
import { Found } from './find.tsx';
import { PeopleOptions } from './forms.tsx';
import { emailHeaders, isFromPage, pageHeaders, usesLoopback } from './guard.ts';
import { createCounter, HomeView } from './home.tsx';
import { asSent, openMessage } from './message.tsx';
import { MessagesView, messagesFor } from './messages.tsx';
import { PeopleView } from './people.tsx';
import { RequestsView, readRequestFilters } from './requests.tsx';
import { Document, Empty, Shell } from './shell.tsx';
import {
  commandForProfile,
  idsIn,
  messagesPath,
  type Place,
  type Variables,
  type View,
} from './view.ts';
import { previewCode, previewedEmail, previewInput } from './workflow-preview.ts';
import { shownWorkflow, WorkflowsView } from './workflows.tsx';

export interface PageOptions {
  store: Store;
  scheduler: Scheduler;
  sessions: PageSessions;
  changes: Changes;
  /** The address of the sandbox. Its port is part of the name of the cookie. */
  baseUrl: string;
  profile?: string | undefined;
  notEmulatedRoutes(): readonly NotEmulatedRoute[];
  requestLog: RequestLog;
  /** Asks the endpoint of an application for the preview of a step. */
  previewStep: PreviewStep;
  /** The errors in the files that the sandbox follows. */
  fileProblems?: (() => readonly FileProblem[]) | undefined;
}

type PageContext = Context<{ Variables: Variables }>;

export function createPage(options: PageOptions): (request: Request) => Promise<Response> {
  const { store, scheduler, sessions, changes, baseUrl, profile, fileProblems, previewStep } =
    options;
  const app = new Hono<{ Variables: Variables }>();
  const place: Place = { port: new URL(baseUrl).port || '80', profile };
  const cookieName = `svc_page_${place.port}`;
  const countSince = createCounter(store);

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
    rememberEnvironment(c.req.raw, session.environmentId);
    return next();
  });

  const createView = (c: PageContext): View => {
    const session = c.get('session');
    const { environmentId, token, theme, loadsImages = false } = session;
    scheduler.catchUp();
    const url = new URL(c.req.url);
    const environment = findEnvironment(store.sql, environmentId);
    return {
      scope: store.scope(environmentId),
      place,
      environment: {
        name: environment?.name ?? 'Deleted environment',
        color: shownColor(environment?.color),
      },
      token,
      theme,
      loadsImages,
      now: new Date(store.clock.now()).toISOString(),
      isFrozen: store.clock.isFrozen(),
      coming: comingJobs(store.sql, environmentId),
      location: `${url.pathname}${url.search}`,
      notice: takeNotice(session),
      fileProblems: fileProblems?.() ?? [],
      notEmulated: options.notEmulatedRoutes(),
    };
  };
  const missing = (c: PageContext, text: string) =>
    html(c, <MissingView view={createView(c)} text={text} />, 404);
  const findMessage = (c: PageContext): ListedMessage | undefined => {
    scheduler.catchUp();
    const { environmentId } = c.get('session');
    const message = listedMessage(store.scope(environmentId), c.req.param('id') ?? '');
    return message && asSent(message);
  };
  const queryFilters = (c: PageContext) => readFilters((name) => c.req.query(name));

  /** The list of messages, with the given one beside it, else the newest. */
  const showMessages = async (c: PageContext, opened?: ListedMessage) => {
    const view = createView(c);
    const [filters, before, tab] = [queryFilters(c), c.req.query('before'), c.req.query('tab')];
    const page = messagesFor(view, filters, before);
    const message = opened ?? page.messages[0];
    const selected = message && (await openMessage(view, message, tab, c.req.query('compare')));
    const props = { view, filters, before, tab, page, selected, isOpened: opened !== undefined };
    return html(c, <MessagesView {...props} />);
  };

  app.get('/', (c) => html(c, <HomeView view={createView(c)} {...{ countSince }} />));
  app.get(messagesPath, (c) => showMessages(c));
  app.get('/page/messages/:id', (c) => {
    const opened = findMessage(c);
    return opened ? showMessages(c, opened) : missing(c, 'This message does not exist.');
  });
  app.get('/page/messages/:id/email', (c) => {
    const message = findMessage(c);
    if (message?.channel !== 'email') return missing(c, 'This e-mail does not exist.');
    return email(c, message.content);
  });
  app.get('/page/messages/:id/source', (c) => {
    const message = findMessage(c);
    return message ? c.text(message.content) : missing(c, 'This message does not exist.');
  });
  const showPeople = (c: PageContext, isStory: boolean) => {
    const view = createView(c);
    const { subscriberId } = idsIn(c.req.param());
    const opened =
      subscriberId === undefined ? undefined : findSubscriber(view.scope, subscriberId);
    if (subscriberId !== undefined && !opened) return missing(c, 'This subscriber does not exist.');
    const props = { view, text: c.req.query('q')?.trim(), before: c.req.query('before'), isStory };
    return html(c, <PeopleView {...props} {...(opened ? { opened } : {})} />);
  };
  app.get('/page/inbox/:subscriberId?', (c) => showPeople(c, false));
  app.get('/page/story/:subscriberId?', (c) => showPeople(c, true));
  app.get('/page/activity/:transactionId?', (c) => {
    const view = createView(c);
    const { transactionId } = idsIn(c.req.param());
    const opened = transactionId === undefined ? undefined : listedEvent(view.scope, transactionId);
    if (transactionId !== undefined && !opened) return missing(c, 'This event does not exist.');
    const place = (name: string) => Number.parseInt(c.req.query(name) ?? '', 10) || undefined;
    const props = {
      view,
      filters: readEventFilters((name) => c.req.query(name)),
      before: place('before'),
      recipients: {
        recipient: c.req.query('recipient') || undefined,
        person: c.req.query('person')?.trim() || undefined,
        result: c.req.query('result') || undefined,
        after: place('after'),
      },
    };
    return html(c, <ActivityView {...props} {...(opened ? { opened } : {})} />);
  });
  app.get('/page/requests/:id?', (c) => {
    const view = createView(c);
    const id = c.req.param('id');
    const { requestLog: log } = options;
    const opened = id === undefined ? undefined : log.find(view.scope.environmentId, Number(id));
    if (id !== undefined && !opened) return missing(c, 'This request does not exist any more.');
    const before = Number.parseInt(c.req.query('before') ?? '', 10) || undefined;
    const props = { view, log, before, filters: readRequestFilters((name) => c.req.query(name)) };
    return html(c, <RequestsView {...props} {...(opened ? { opened } : {})} />);
  });
  app.get('/page/workflows/:workflowId?', async (c) => {
    const view = createView(c);
    const { workflowId } = idsIn(c.req.param());
    const text = c.req.query('q')?.trim();
    const selected = shownWorkflow(view, workflowId, text);
    if (workflowId !== undefined && !selected) return missing(c, 'This workflow does not exist.');
    const input = selected && previewInput(view.scope, c.get('session'), selected);
    const opened = workflowId === undefined ? undefined : selected;
    const codePreviews =
      selected && input ? await previewCode(view.scope, selected, input, previewStep) : new Map();
    return html(c, <WorkflowsView {...{ view, text, opened, input, codePreviews }} />);
  });
  app.get('/page/workflows/:workflowId/:stepId', async (c) => {
    const { scope } = createView(c);
    const { workflowId = '', stepId = '' } = idsIn(c.req.param());
    const step = { workflowId, stepId };
    const body = await previewedEmail(scope, c.get('session'), step, previewStep);
    return body === undefined ? missing(c, 'This e-mail does not exist.') : email(c, body);
  });
  app.get('/page/people', (c) => {
    const scope = store.scope(c.get('session').environmentId);
    return c.html(String(<PeopleOptions scope={scope} text={c.req.query('q') ?? ''} />));
  });
  app.get('/page/find', (c) => {
    const scope = store.scope(c.get('session').environmentId);
    return c.html(String(<Found scope={scope} text={c.req.query('q') ?? ''} />));
  });
  app.get('/page/live', () => {
    const response = changes.stream();
    for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
    return response;
  });
  addActions(app, { store, scheduler });
  app.notFound((c) => missing(c, 'This page does not exist.'));
  app.onError((error) => {
    throw error;
  });
  return async (request) => app.fetch(request);
}

const html = (c: Context, page: Child, status: 200 | 403 | 404 = 200) =>
  c.html(`<!doctype html>${String(page)}`, status);

/** The document of the frame of an e-mail. */
function email(c: PageContext, content: string) {
  const { loadsImages = false } = c.get('session');
  for (const [name, value] of Object.entries(emailHeaders(loadsImages))) c.header(name, value);
  return c.html(emailDocument(content, loadsImages).html);
}

/** Returns the result of the last action once. */
function takeNotice(session: PageSession): Notice | undefined {
  const { notice } = session;
  session.notice = undefined;
  return notice;
}

/** Any other text is not a color. */
const shownColor = (color: string | undefined): string =>
  color !== undefined && /^#[\da-f]{3,8}$/i.test(color) ? color : '#808080';

// The short pages: for browsers without a session, and for an address that does not exist.

const ShortPage = ({ place, title, text }: { place: Place; title: string; text: string }) => (
  <Document place={place} title={title}>
    <body class="closed">
      <main>
        <h1 class="title">{title}</h1>
        <p>{text}</p>
        <p>Run this command to open the page:</p>
        <pre>
          <code>{commandForProfile(place, 'svc sandbox open')}</code>
        </pre>
      </main>
    </body>
  </Document>
);

export const ClosedPage = ({ place }: { place: Place }) => (
  <ShortPage
    place={place}
    title="This is a sandbox of svc"
    text="Its page shows the messages that the sandbox captured. Only the person who started the sandbox can see it."
  />
);

export const InvalidLinkPage = ({ place }: { place: Place }) => (
  <ShortPage
    place={place}
    title="This link is no longer valid"
    text="A link works once, within a minute after it was created."
  />
);

/** Starts a session: goes to the page at once. It is not a redirect, because a browser that followed one from another site would not send the new cookie. */
export const OpenedPage = ({ place }: { place: Place }) => (
  <Document place={place} title="Opening">
    <body class="closed">
      <main>
        <h1 class="title">Opening the sandbox</h1>
        <p>
          <a href="/">Continue</a>
        </p>
      </main>
    </body>
  </Document>
);

/** The view for an address that does not exist, or that does not exist anymore. */
export const MissingView = ({ view, text }: { view: View; text: string }) => (
  <Shell
    view={view}
    section="Home"
    title="Not found"
    listPath="/"
    isOpened={true}
    list={null}
    detail={
      <Empty title="Not found">
        <p>
          {text} A reset deletes all messages and events.{' '}
          <a href={messagesPath}>Show all messages</a>
        </p>
      </Empty>
    }
  />
);
