// The requests of the application, newest first, with the opened one beside them.

import type { RequestLog } from '../control/request-log.ts';
import type { RecordedRequest } from '../control/schemas.ts';
import { Choice, FilterFrame, filterReader, isFiltered } from './filters.tsx';
import { clockTime, dateText, shortTime } from './format.ts';
import { Badge } from './icons.tsx';
import { ListRow, ListView } from './list-view.tsx';
import { Json, Row } from './message.tsx';
import { Empty } from './shell.tsx';
import { linkTo, requestPath, type View } from './view.ts';

const pageSize = 40;
const path = '/page/requests';

const outcomes = { failed: 'Failed', notEmulated: 'Not emulated' } as const;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => ({
  value: name,
  text: name,
}));
export const readRequestFilters = filterReader(['method', 'status', 'outcome']);

type RequestFilters = ReturnType<typeof readRequestFilters>;

interface Props {
  view: View;
  log: RequestLog;
  filters: RequestFilters;
  /** Only requests older than the one with this number. */
  before: number | undefined;
  /** The request that was opened; without one, the newest is shown. */
  opened?: RecordedRequest;
}

export const RequestsView = ({ view, log, filters, before, opened }: Props) => {
  const { requests, next } = requestsFor(view, log, filters, before);
  const shown = opened ?? requests[0];
  const start = before === undefined ? undefined : String(before);
  const query = { ...filters, before: start };
  return (
    <ListView
      {...{ view, filters, next, path }}
      section="Requests"
      noun="requests"
      before={start}
      openedTitle={opened && requestLine(opened)}
      shownPath={shown && requestPath(shown.id)}
      form={<RequestFilterForm filters={filters} />}
      items={
        requests.length === 0 ? (
          <NoRequests
            hasFilters={isFiltered(filters) || before !== undefined}
            url={view.place.port}
          />
        ) : (
          <ol class="items">
            {requests.map((request) => (
              <RequestRow
                request={request}
                href={linkTo(requestPath(request.id), query)}
                isCurrent={request.id === shown?.id}
              />
            ))}
          </ol>
        )
      }
      detail={shown ? <RequestDetail request={shown} /> : null}
      nothing="A request of your application appears here with its body and its status."
    />
  );
};

function requestsFor(
  { scope: { environmentId } }: View,
  log: RequestLog,
  { q, method, status, outcome }: RequestFilters,
  before: number | undefined,
) {
  const filter = {
    method,
    before,
    path: q === undefined ? undefined : `*${q}*`,
    status: Number.parseInt(status ?? '', 10) || undefined,
    outcome: (['failed', 'notEmulated'] as const).find((name) => name === outcome),
  };
  const listed = log.list(environmentId, filter, pageSize + 1);
  const requests = listed.slice(0, pageSize);
  const last = requests.at(-1);
  return { requests, next: listed.length > pageSize && last ? String(last.id) : undefined };
}

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

const NoRequests = ({ hasFilters, url }: { hasFilters: boolean; url: string }) =>
  hasFilters ? (
    <Empty title="No requests match">
      <p>
        <a href={path}>Show all requests</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No requests yet">
      <p>
        Requests appear here as soon as an application sends them to port {url} of this machine.
      </p>
    </Empty>
  );

const requestLine = ({ method, path: sentPath }: RecordedRequest) => `${method} ${sentPath}`;

interface RowProps {
  request: RecordedRequest;
  href: string;
  isCurrent: boolean;
}

const RequestRow = ({ request, href, isCurrent }: RowProps) => (
  <ListRow
    {...{ href, isCurrent, badge: 'request', title: requestLine(request) }}
    id={`r-${request.id}`}
    time={[request.time, shortTime(request.time)]}
    sub={
      <>
        <span dir="auto">{requestExcerpt(request)}</span>
        <RequestStatus request={request} />
      </>
    }
  />
);

/** The error, else the beginning of what was sent. */
function requestExcerpt({ error, notEmulated, query, body }: RecordedRequest): string {
  if (error !== undefined && !notEmulated) return error;
  if (body !== null) return JSON.stringify(body).slice(0, 160);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return parameters.length === 0 ? 'No body' : `?${parameters.join('&')}`.slice(0, 160);
}

const RequestStatus = ({
  request: { status, error, notEmulated },
}: {
  request: RecordedRequest;
}) =>
  notEmulated ? (
    <span class="state status waiting">Not emulated</span>
  ) : (
    <span class={`state status ${error === undefined ? 'delivered' : 'failed'}`}>
      {status ?? 'Closed'}
    </span>
  );

const RequestDetail = ({ request }: { request: RecordedRequest }) => {
  const { id, time, query, body, isBodyOmitted, error, notEmulated } = request;
  const parameters = Object.entries(query);
  return (
    <article class="message">
      <header>
        <div class="kind">
          <Badge type="request" />
          Request <RequestStatus request={request} />
        </div>
        <h2 class="title">{requestLine(request)}</h2>
        {notEmulated ? (
          <p class="problem warning">
            <strong>Not emulated.</strong> The service has this route, the sandbox does not.
          </p>
        ) : error === undefined ? null : (
          <p class="problem" dir="auto">
            <strong>Failed.</strong> {error}
          </p>
        )}
        <dl class="facts">
          <Row name="Sent">
            <time datetime={time}>
              {dateText(time)}, {clockTime(time)}
            </time>
          </Row>
          {parameters.length === 0 ? null : (
            <Row name="Query">
              {parameters.map(([name, value]) => (
                <bdi class="parameter">
                  {name} <span class="aside">{value}</span>
                </bdi>
              ))}
            </Row>
          )}
        </dl>
      </header>
      {isBodyOmitted ? (
        <p class="none">The body is too large to keep, or neither JSON nor a form.</p>
      ) : body === null ? (
        <p class="none">The request has no body.</p>
      ) : (
        <Json value={body as object} />
      )}
      <p class="id">Request {id} since the start or the last reset</p>
    </article>
  );
};
