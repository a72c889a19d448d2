// Keeps the last requests of the application and what became of them, for its tests and for the page. In memory, bounded
// in number and in size.

import { asObject, jsonOr } from '../../core/objects.ts';
import type { HttpStepExchange } from '../bridge/http-step.ts';
import { environmentOfRequest } from '../http/authorization.ts';
import { fieldMessages } from '../http/http-error.ts';
import { readJsonText, type SentBody, sentBody } from '../http/request-body.ts';
import { responseText } from '../http/responses.ts';
import type { Store } from '../store/scope.ts';
import { controlPath } from './client.ts';
import { createRequestMask } from './request-mask.ts';
import type { RecordedRequest, requestOutcomes } from './schemas.ts';

interface RequestFilter {
  /** In upper or lower case. */
  method?: string | undefined;
  /** `*` stands for any text. */
  path?: string | undefined;
  status?: number | undefined;
  /** An ISO time: only requests from it on. */
  since?: string | undefined;
  /** Only requests that failed, or that the sandbox does not emulate. */
  outcome?: (typeof requestOutcomes)[number] | undefined;
  /** Only older requests than the one with this id. */
  before?: number | undefined;
  /** By default, all but those of steps. */
  senders?: readonly Sender[];
}

/** The application, svc itself, or a step of a workflow. */
export type Sender = 'application' | 'svc' | 'step';

export interface LoggedRequest {
  request: RecordedRequest;
  sender: Sender;
  durationMs: number;
  /** The origin that a step sends to. */
  origin?: string | undefined;
  /** The event of the step. */
  transactionId?: string | undefined;
  /** Why the request of a step was not sent. */
  unsent?: string | undefined;
}

export interface RequestLog {
  /** Keeps the request of an application, and any other that had an internal error. */
  add(request: Request, result: RequestResult): Promise<void>;
  /** Keeps the request of a step. */
  addStep(exchange: HttpStepExchange): void;
  /** At most `limit` requests of an environment, newest first, without their secrets. */
  list(
    environmentId: string,
    filter: RequestFilter,
    limit: number,
    offset?: number,
  ): LoggedRequest[];
  find(environmentId: string, id: number): LoggedRequest | undefined;
  /** The body of the response, without secrets; undefined if it was not kept. */
  findResponse(environmentId: string, id: number): unknown;
  clear(environmentId?: string): void;
  /** Returns a function that restores the log as it is now. */
  save(): () => void;
}

/** The result of a request. */
export interface RequestResult {
  /** Null if an injected fault closed the connection before a response. */
  status: number | null;
  /** Undefined if the connection was closed. */
  response: Response | undefined;
  /** The service has the route, the sandbox does not. */
  isNotEmulated: boolean;
  /** The cause of an internal error. */
  internalError: string | undefined;
  durationMs: number;
}

interface Entry extends Omit<LoggedRequest, 'request'> {
  id: number;
  /** Milliseconds, by the clock of the sandbox. */
  time: number;
  method: string;
  url: string;
  body: SentBody | undefined | null;
  response: string | undefined;
  status: number | null;
  error: string | undefined;
  isNotEmulated: boolean;
  environmentId: string;
}

const maxRequests = 1_000;
const maxBodyLength = 256 * 1024;
const maxResponseLength = 64 * 1024;
/** Characters of all bodies and responses together. */
const maxLength = 4 * 1024 * 1024;
const maxErrorLength = 4_000;

export function createRequestLog(
  store: Store,
  { onRequest, keepsResponses }: { onRequest: () => void; keepsResponses: boolean },
): RequestLog {
  const { clock, environmentId: defaultEnvironment } = store;
  let entries: Entry[] = [];
  let length = 0;
  let count = 0;

  const omitBody = (entry: Entry) => {
    length -= lengthOf(entry);
    if (entry.body) entry.body = undefined;
    entry.response = undefined;
  };
  const keep = (added: Omit<Entry, 'id' | 'time'>) => {
    count += 1;
    const entry = { ...added, id: count, time: clock.now() };
    const { response = '' } = entry;
    if (!keepsResponses || response.length > maxResponseLength) entry.response = undefined;
    entries.push(entry);
    length += lengthOf(entry);
    if (entries.length > maxRequests) {
      const [oldest] = entries;
      if (oldest) omitBody(oldest);
      entries.shift();
    }
    for (let at = 0; length > maxLength; at += 1) {
      const old = entries[at];
      if (old) omitBody(old);
    }
    onRequest();
  };

  /** Newest first. */
  const select = (environmentId: string, matches: (entry: Entry) => boolean) =>
    entries.filter((entry) => entry.environmentId === environmentId && matches(entry)).toReversed();
  const serialize = (environmentId: string, selected: readonly Entry[]): LoggedRequest[] => {
    const masked = createRequestMask(store.scope(environmentId));
    return selected.map((entry) => {
      const { sender, durationMs, origin, transactionId, unsent } = entry;
      const request = masked(toRecorded(entry));
      return { request, sender, durationMs, origin, transactionId, unsent };
    });
  };
  const withId = (environmentId: string, id: number) =>
    select(environmentId, (entry) => entry.id === id);

  return {
    async add(request, { status, response, isNotEmulated, internalError, durationMs }) {
      if (!isOfApplication(toPathname(request.url)) && internalError === undefined) return;
      const { method, url } = request;
      const body = await sentBody(request, maxBodyLength);
      const error = await findError(request, response, internalError);
      keep({
        method,
        url,
        body,
        response: response && responseText(response),
        status,
        error,
        isNotEmulated,
        // The one whose key the application has.
        environmentId: environmentOfRequest(request) ?? defaultEnvironment,
        sender: request.headers.get('user-agent')?.startsWith('svc/') ? 'svc' : 'application',
        durationMs,
      });
    },
    addStep({ request, status, text, error, unsent, durationMs }) {
      const { environmentId, transactionId, method, url, body: value } = request;
      const body = value === undefined ? null : toSentBody(value);
      const failure = (status ?? 0) >= 400 ? `Response code ${status}` : undefined;
      keep({
        method,
        url,
        body,
        response: text,
        status,
        environmentId,
        transactionId,
        unsent,
        error: error ?? failure,
        isNotEmulated: false,
        sender: 'step',
        durationMs,
        origin: new URL(url).origin,
      });
    },
    list: (environmentId, filter, limit, offset = 0) =>
      serialize(
        environmentId,
        select(environmentId, matcher(filter)).slice(offset, offset + limit),
      ),
    find: (environmentId, id) => serialize(environmentId, withId(environmentId, id))[0],
    findResponse(environmentId, id) {
      const text = withId(environmentId, id)[0]?.response;
      return text && createRequestMask(store.scope(environmentId))(jsonOr(text, text));
    },
    clear(environmentId) {
      if (environmentId === undefined) count = 0;
      entries =
        environmentId === undefined
          ? []
          : entries.filter((entry) => entry.environmentId !== environmentId);
      length = entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
    },
    save() {
      const saved = { entries: [...entries], length, count };
      return () => {
        ({ length, count } = saved);
        entries = [...saved.entries];
        onRequest();
      };
    },
  };
}

const lengthOf = ({ body, response }: Entry) => (body?.length ?? 0) + (response?.length ?? 0);

function toSentBody(value: unknown): SentBody | undefined {
  const text = JSON.stringify(value);
  return text.length > maxBodyLength
    ? undefined
    : { text, length: text.length, parse: () => readJsonText(text) };
}

async function findError(
  request: Request,
  response: Response | undefined,
  internalError: string | undefined,
): Promise<string | undefined> {
  if (!response) return 'The connection was closed by a fault';
  if (response.status < 400) return undefined;
  const text = responseText(response) ?? (await response.clone().text());
  return errorText(internalError ?? messagesIn(text), request);
}

/** Without parsing all of the address, because that is done for each request. */
function toPathname(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : (url.slice(start).split(/[?#]/, 1)[0] ?? '/');
}

export const isOfApplication = (path: string) =>
  path !== '/' && !path.startsWith(`${controlPath}/`) && !path.startsWith('/page/');

function matcher({
  method,
  path,
  status,
  since,
  outcome,
  before,
  senders = ['application', 'svc'],
}: RequestFilter) {
  const parts = path?.split('*');
  const start = since === undefined ? undefined : Date.parse(since);
  return (entry: Entry) =>
    senders.includes(entry.sender) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (parts === undefined || hasParts(toPathname(entry.url), parts)) &&
    (status === undefined || entry.status === status) &&
    (start === undefined || entry.time >= start) &&
    (outcome !== 'failed' || isFailed(entry)) &&
    (outcome !== 'notEmulated' || entry.isNotEmulated) &&
    (before === undefined || entry.id < before);
}

/** Whether a text consists of the parts, in order, with any text between them. In linear time. */
function hasParts(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}

const isFailed = ({ status, error }: Entry) => error !== undefined || (status ?? 500) >= 400;

function toRecorded({ id, time, method, url, body, status, error, isNotEmulated }: Entry) {
  const { pathname, searchParams } = new URL(url);
  const loggedBody = parseBody(body);
  // The error of a text that is not JSON quotes it.
  const loggedError = loggedBody.isBodyOmitted ? error?.replace(/".*"/s, '"…"') : error;
  return {
    id,
    time: new Date(time).toISOString(),
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    ...loggedBody,
    status,
    ...(loggedError === undefined ? {} : { error: loggedError }),
    ...(isNotEmulated ? { notEmulated: true as const } : {}),
  };
}

/** A text that is not valid is left out, because its secrets cannot be found. */
function parseBody(body: Entry['body']): { body: unknown; isBodyOmitted?: true } {
  if (body === null) return { body };
  try {
    if (body) return { body: body.parse() };
  } catch {
    // As if it were too long.
  }
  return { body: null, isBodyOmitted: true };
}

/** Removes what was sent, which some errors repeat. */
function errorText(text: string, { url, headers }: Request): string {
  const { search } = new URL(url);
  const sent = [search, ...(headers.get('authorization') ?? '').split(' ')].filter(
    (part) => part.length > 6,
  );
  const error = sent.reduce((masked, part) => masked.replaceAll(part, '…'), text);
  // Cut between words, because the mask does not find a part of an API key.
  return error.length > maxErrorLength
    ? error.slice(0, maxErrorLength).replace(/\S*$/, '…')
    : error;
}

/** The texts of an error response: its message, then the errors of fields. */
function messagesIn(text: string): string {
  const response = jsonOr(text, text);
  if (typeof response === 'string') return text.slice(0, 200);
  const { message, errors } = asObject(response);
  const fields = fieldMessages(errors);
  const details = fields.length === 0 ? '' : `: ${fields.join('; ')}`;
  return `${[message].flat().join('; ')}${details}`;
}
