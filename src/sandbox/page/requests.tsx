// The requests of the application, newest first, with the opened one beside them.

import { asObject } from '../../core/objects.ts';
import { counted } from '../../core/text.ts';
import type { LoggedRequest, RequestLog, Sender } from '../control/request-log.ts';
import { listedEvent } from '../store/page-events.ts';
import { CopyAs, requestSnippets } from './copy.tsx';
import { Choice, FilterFrame, filterReader, isFiltered } from './filters.tsx';
import { clockTime, dateText, shortTime } from './format.ts';
import { Badge } from './icons.tsx';
import { ListRow, ListView } from './list-view.tsx';
import { Json, Row } from './message.tsx';
import { Empty, NoMatches } from './shell.tsx';
import { eventPath, linkTo, requestPath, type View } from './view.ts';

const pageSize = 40;
const path = '/page/requests';

const outcomes = { failed: 'Failed', notEmulated: 'Not emulated' } as const;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => ({
  value: name,
  text: name,
}));
export const readRequestFilters = filterReader(['method', 'status', 'outcome', 'sender']);

type RequestFilters = ReturnType<typeof readRequestFilters>;

interface Props {
  view: View;
  log: RequestLog;
  filters: RequestFilters;
  /** Only requests older than the one with this number. */
  before: number | undefined;
  /** The request that was opened; without one, the newest is shown. */
  opened?: LoggedRequest;
}

export const RequestsView = ({ view, log, filters, before, opened }: Props) => {
  const { requests, next } = requestsFor(view, log, filters, before);
  const selected = opened ?? requests[0];
  const start = before === undefined ? undefined : String(before);
  const query = { ...filters, before: start };
  return (
    <ListView
      {...{ view, filters, next, path }}
      section="Requests"
      noun="requests"
      before={start}
      openedTitle={opened && requestLine(opened)}
      shownPath={selected && requestPath(selected.request.id)}
      form={<RequestFilterForm filters={filters} />}
      actions={<SenderSwitch filters={filters} />}
      items={
        requests.length === 0 ? (
          <NoRequests
            hasFilters={isFiltered(filters) || before !== undefined}
            port={view.place.port}
            ofSvc={log.list(view.scope.environmentId, { senders: ['svc'] }, pageSize).length}
          />
        ) : (
          <ol class="items">
            {requests.map((logged) => (
              <RequestRow
                logged={logged}
                href={linkTo(requestPath(logged.request.id), query)}
                isCurrent={logged.request.id === selected?.request.id}
              />
            ))}
          </ol>
        )
      }
      detail={
        selected ? (
          <RequestDetail
            {...{ view, logged: selected }}
            response={log.findResponse(view.scope.environmentId, selected.request.id)}
          />
        ) : null
      }
      nothing="A request of your application appears here with its body and its status."
    />
  );
};

function requestsFor(
  { scope: { environmentId } }: View,
  log: RequestLog,
  { q, method, status, outcome, sender }: RequestFilters,
  before: number | undefined,
) {
  const filter = {
    method,
    before,
    senders: sender === 'all' ? allSenders : usualSenders,
    path: q === undefined ? undefined : `*${q}*`,
    status: Number.parseInt(status ?? '', 10) || undefined,
    outcome: (['failed', 'notEmulated'] as const).find((name) => name === outcome),
  };
  const listed = log.list(environmentId, filter, pageSize + 1);
  const requests = listed.slice(0, pageSize);
  const last = requests.at(-1);
  return { requests, next: listed.length > pageSize && last ? String(last.request.id) : undefined };
}

const usualSenders: readonly Sender[] = ['application', 'step'];
const allSenders: readonly Sender[] = [...usualSenders, 'svc'];

/** A person looks for the requests of the application, not for those of svc. */
const SenderSwitch = ({ filters }: { filters: RequestFilters }) => (
  <nav class="switch" aria-label="Senders">
    {[undefined, 'all'].map((sender) => (
      <a
        href={linkTo(path, { ...filters, sender })}
        aria-current={sender === filters.sender ? 'true' : undefined}
      >
        {sender ? 'With svc' : 'Without svc'}
      </a>
    ))}
  </nav>
);

const RequestFilterForm = ({ filters }: { filters: RequestFilters }) => {
  const { method, status } = filters;
  const used = [method, status].filter((value) => value !== undefined).length;
  return (
    <FilterFrame
      {...{ path, filters, used }}
      label="Search paths"
      chips={{
        name: 'outcome',
        label: 'Results',
        choices: Object.entries(outcomes).map(([value, text]) => ({ value, text })),
      }}
    >
      <Choice name="method" label="Method" any="Any method" value={method} options={methods} />
      <label>
        Status
        <input
          name="status"
          value={status}
          inputmode="numeric"
          autocomplete="off"
          placeholder="Any status"
        />
      </label>
    </FilterFrame>
  );
};

interface NoRequestsProps {
  hasFilters: boolean;
  port: string;
  /** The number of requests of svc, which are hidden. */
  ofSvc: number;
}

const NoRequests = ({ hasFilters, port, ofSvc }: NoRequestsProps) =>
  hasFilters ? (
    <NoMatches noun="requests" path={path} />
  ) : (
    <Empty title="No requests yet">
      <p>
        Requests appear here as soon as an application sends them to port {port} of this machine.
      </p>
      {ofSvc === 0 ? null : (
        <p>
          <a href={linkTo(path, { sender: 'all' })}>Show those of svc</a>
        </p>
      )}
    </Empty>
  );

const requestLine = ({ request: { method, path: sentPath }, origin = '' }: LoggedRequest) =>
  `${method} ${origin}${sentPath}`;

interface RowProps {
  logged: LoggedRequest;
  href: string;
  isCurrent: boolean;
}

const senderNames: Record<Sender, string | undefined> = {
  application: undefined,
  svc: 'svc',
  step: 'Step',
};

const RequestRow = ({ logged, href, isCurrent }: RowProps) => (
  <ListRow
    {...{ href, isCurrent, badge: 'request', title: requestLine(logged) }}
    id={`r-${logged.request.id}`}
    mark={<time datetime={logged.request.time}>{shortTime(logged.request.time)}</time>}
    sub={
      <>
        <span dir="auto">{requestExcerpt(logged)}</span>
        <RequestStatus logged={logged} />
      </>
    }
  />
);

/** The error, else the beginning of what was sent. */
function requestExcerpt({ request, sender }: LoggedRequest): string {
  const { error, notEmulated, query, body } = request;
  const name = senderNames[sender];
  const start = name === undefined ? '' : `${name} · `;
  if (error !== undefined && !notEmulated) return start + error;
  if (body !== null) return start + JSON.stringify(body).slice(0, maxExcerpt);
  const parameters = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return parameters.length === 0
    ? `${start}No body`
    : `${start}?${parameters.join('&')}`.slice(0, maxExcerpt);
}

const maxExcerpt = 160;

const RequestStatus = ({ logged: { request, unsent, sender } }: { logged: LoggedRequest }) => {
  const { status, error, notEmulated } = request;
  if (notEmulated) return <span class="state status waiting">Not emulated</span>;
  if (unsent !== undefined) return <span class="state status waiting">Not sent</span>;
  const none = sender === 'step' ? 'No response' : 'Closed';
  return (
    <span class={`state status ${error === undefined ? 'delivered' : 'failed'}`}>
      {status ?? none}
    </span>
  );
};

interface DetailProps {
  view: View;
  logged: LoggedRequest;
  /** Undefined if it was not kept. */
  response: unknown;
}

const RequestDetail = ({ view, logged, response }: DetailProps) => {
  const { request, sender, durationMs, unsent, transactionId } = logged;
  const { id, time, query, body, isBodyOmitted, status } = request;
  const events = [transactionId, ...transactionsOf(response)].filter(
    (event) => event !== undefined,
  );
  return (
    <article class="message">
      <header>
        <div class="kind">
          <Badge type="request" />
          {sender === 'step' ? 'Request of a step' : `Request${sender === 'svc' ? ' of svc' : ''}`}{' '}
          <RequestStatus logged={logged} />
        </div>
        <h2 class="title">{requestLine(logged)}</h2>
        <RequestProblem logged={logged} />
        <dl class="facts">
          <Row name={unsent === undefined ? 'Sent' : 'Rendered'}>
            <time datetime={time}>
              {dateText(time)}, {clockTime(time)}
            </time>
            {unsent === undefined ? <span class="aside">{Math.round(durationMs)} ms</span> : null}
          </Row>
          <Events {...{ view, events }} />
        </dl>
      </header>
      <div class="exchange">
        <section aria-label="Request">
          <h3>Request</h3>
          {Object.keys(query).length === 0 ? null : (
            <dl class="mail-headers">
              {Object.entries(query).map(([name, value]) => (
                <div>
                  <dt>
                    <bdi>{name}</bdi>
                  </dt>
                  <dd>
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {isBodyOmitted ? (
            <p class="none">The body is too large to keep, or neither JSON nor a form.</p>
          ) : body === null ? (
            <p class="none">No body</p>
          ) : (
            <Json value={body} />
          )}
        </section>
        <section aria-label="Response">
          <h3>Response</h3>
          {response !== undefined && response !== '' ? (
            <Json value={response} />
          ) : (
            <p class="none">{status === 204 || status === null ? 'No body' : 'Not kept'}</p>
          )}
        </section>
      </div>
      {sender === 'step' ? null : (
        <div class="acts">
          <CopyAs snippets={requestSnippets(view, request)} />
        </div>
      )}
      <p class="id">Request {id} since the start or the last reset</p>
    </article>
  );
};

const RequestProblem = ({ logged: { request, unsent } }: { logged: LoggedRequest }) => {
  const { error, notEmulated } = request;
  if (notEmulated)
    return (
      <p class="problem warning">
        <strong>Not emulated.</strong> The service has this route, the sandbox does not.
      </p>
    );
  if (unsent !== undefined)
    return (
      <p class="problem warning">
        <strong>Not sent.</strong> The step got the response below: {unsent}.
      </p>
    );
  return error === undefined ? null : (
    <p class="problem" dir="auto">
      <strong>Failed.</strong> {error}
    </p>
  );
};

/** The transactions of the events that a request has triggered. */
const transactionsOf = (response: unknown): string[] =>
  [asObject(response).data ?? response]
    .flat()
    .map((item) => asObject(item).transactionId)
    .filter((id) => typeof id === 'string');

const listedEvents = 5;

const Events = ({ view, events }: { view: View; events: readonly string[] }) => {
  const stored = events
    .slice(0, listedEvents)
    .filter((id) => listedEvent(view.scope, id) !== undefined);
  return stored.length === 0 ? null : (
    <Row name={stored.length === 1 ? 'Event' : 'Events'}>
      {stored.map((id) => (
        <a class="parameter" href={eventPath(id)}>
          <bdi>{id}</bdi>
        </a>
      ))}
      {events.length > listedEvents
        ? `and ${counted(events.length - listedEvents, 'other')}`
        : null}
    </Row>
  );
};
