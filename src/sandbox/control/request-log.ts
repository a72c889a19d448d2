// Keeps the last requests of the application and what became of them, for its tests and for the page. In memory, bounded
// in number and in size.

import { asObject, isObject } from '../../core/objects.ts';
import { isSecretField, mask, maskedValue } from '../../service/secret-fields.ts';
import { environmentOfRequest } from '../http/authorization.ts';
import { fieldMessages } from '../http/http-error.ts';
import { type SentBody, sentBody } from '../http/request-body.ts';
import { allKeys } from '../store/environments.ts';
import type { Store } from '../store/scope.ts';
import { controlPath } from './client.ts';
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
}

export interface RequestLog {
  /** Keeps the request of an application, and any other that had an internal error. */
  add(request: Request, result: RequestResult): Promise<void>;
  /** At most `limit` requests of an environment, newest first, without their secrets. */
  list(
    environmentId: string,
    filter: RequestFilter,
    limit: number,
    offset?: number,
  ): RecordedRequest[];
  find(environmentId: string, id: number): RecordedRequest | undefined;
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
}

interface Entry {
  id: number;
  /** Milliseconds, by the clock of the sandbox. */
  time: number;
  method: string;
  url: string;
  body: SentBody | undefined | null;
  status: number | null;
  error: string | undefined;
  isNotEmulated: boolean;
  environmentId: string;
}

const maxRequests = 1_000;
const maxBodyLength = 256 * 1024;
/** Characters of all bodies together. */
const maxLength = 4 * 1024 * 1024;
const maxErrorLength = 4_000;

export function createRequestLog(
  { sql, clock, environmentId: defaultEnvironment }: Store,
  onRequest: () => void,
): RequestLog {
  let entries: Entry[] = [];
  let length = 0;
  let count = 0;

  const omitBody = (entry: Entry) => {
    length -= entry.body?.length ?? 0;
    if (entry.body) entry.body = undefined;
  };
  const keep = (entry: Entry) => {
    entries.push(entry);
    length += entry.body?.length ?? 0;
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
  const serialize = (selected: readonly Entry[]): RecordedRequest[] => {
    const masked = createRequestMask(allKeys(sql));
    return selected.map((entry) => masked(toRecorded(entry)));
  };

  return {
    async add(request, { status, response, isNotEmulated, internalError }) {
      if (!isOfApplication(toPathname(request.url)) && internalError === undefined) return;
      const { method, url } = request;
      const body = await sentBody(request, maxBodyLength);
      const error = await findError(request, response, internalError);
      count += 1;
      keep({
        id: count,
        time: clock.now(),
        method,
        url,
        body,
        status,
        error,
        isNotEmulated,
        // The one whose key the application has.
        environmentId: environmentOfRequest(request) ?? defaultEnvironment,
      });
    },
    list: (environmentId, filter, limit, offset = 0) =>
      serialize(select(environmentId, matcher(filter)).slice(offset, offset + limit)),
    find: (environmentId, id) => serialize(select(environmentId, (entry) => entry.id === id))[0],
    clear(environmentId) {
      if (environmentId === undefined) count = 0;
      entries =
        environmentId === undefined
          ? []
          : entries.filter((entry) => entry.environmentId !== environmentId);
      length = entries.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
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

async function findError(
  request: Request,
  response: Response | undefined,
  internalError: string | undefined,
): Promise<string | undefined> {
  if (!response) return 'The connection was closed by a fault';
  if (response.status < 400) return undefined;
  return errorText(internalError ?? messagesIn(await response.clone().text()), request);
}

/** Without parsing all of the address, because that is done for each request. */
function toPathname(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : (url.slice(start).split(/[?#]/, 1)[0] ?? '/');
}

export const isOfApplication = (path: string) =>
  path !== '/' && !path.startsWith(`${controlPath}/`) && !path.startsWith('/page/');

function matcher({ method, path, status, since, outcome, before }: RequestFilter) {
  const parts = path?.split('*');
  const start = since === undefined ? undefined : Date.parse(since);
  return (entry: Entry) =>
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
  const shownBody = parseBody(body);
  // The error of a text that is not JSON quotes it.
  const shownError = shownBody.isBodyOmitted ? error?.replace(/".*"/s, '"…"') : error;
  return {
    id,
    time: new Date(time).toISOString(),
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    ...shownBody,
    status,
    ...(shownError === undefined ? {} : { error: shownError }),
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
  const error = sent.reduce((shown, part) => shown.replaceAll(part, '…'), text);
  // Cut between words, because the mask does not find a part of an API key.
  return error.length > maxErrorLength
    ? error.slice(0, maxErrorLength).replace(/\S*$/, '…')
    : error;
}

/** The texts of an error response: its message, then the errors of fields. */
function messagesIn(text: string): string {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
  const { message, errors } = asObject(response);
  const fields = fieldMessages(errors);
  const details = fields.length === 0 ? '' : `: ${fields.join('; ')}`;
  return `${[message].flat().join('; ')}${details}`;
}

// Masks secrets in the log of requests: members by name and place, passwords in addresses, and the API keys of the
// sandbox in any text.

/** Names in requests only: hashes that prove who a subscriber is, tokens, and headers for providers. */
const requestSecret =
  /(token|secret|password|hash|cookie|authorization|(api|secret|access|private|signing)[-_]?key)s?$/i;

const password = /(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+(?=@)/gi;

/** Returns a function that masks a value from a request. `keys` are the API keys of the sandbox. */
function createRequestMask(keys: readonly string[]): <T>(value: T) => T {
  const withoutKeys = (text: string) =>
    keys.reduce((rest, key) => rest.replaceAll(key, mask), text);
  const walk = (value: unknown, parent: string, isPayload: boolean): unknown => {
    if (typeof value === 'string')
      return withoutKeys(isPayload ? value : value.replace(password, mask));
    if (Array.isArray(value)) return value.map((item) => walk(item, parent, isPayload));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        withoutKeys(name),
        !isPayload && isSecret(parent, name, value)
          ? maskedMember(member)
          : // Messages show the payload of their event too.
            walk(member, name, isPayload || name === 'payload'),
      ]),
    );
  };
  return <T>(value: T) => walk(value, '', false) as T;
}

function isSecret(parent: string, name: string, container: Record<string, unknown>): boolean {
  const member = container[name];
  // A query, and a form that is nested too deeply, have names such as `credentials[apiKey]` and `deviceTokens[]`.
  const names = [parent, ...name.split(/[[\]]+/).filter((part) => part !== '')];
  const [inner = '', last = ''] = names.slice(-2);
  return (
    requestSecret.test(last) ||
    isSecretField(inner, last, last === name ? container : { [last]: member }) ||
    (last === 'credentials' && typeof member === 'string') ||
    // A list of headers.
    (last === 'value' && [container.key, container.name].some(isSecretName))
  );
}

const isSecretName = (name: unknown) => typeof name === 'string' && requestSecret.test(name);

/** An object with such a name, such as the schema of a member, can contain secrets of any name. */
const maskedMember = (member: unknown) =>
  typeof member === 'boolean' ? member : maskedValue(member);
