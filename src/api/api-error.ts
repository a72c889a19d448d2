// Answers of failure → SvcError: status and body read in every form the service or a proxy gives them.
// Knows the error formats; the wording of remedies that name commands is added above.
import { type ExitReason, type FieldError, SvcError } from '../core/errors.ts';
import { maxResponseDepth } from '../core/json-depth.ts';
import type { Method } from './operation.ts';
import { retryAfterMs } from './retry.ts';

export interface FailedAnswer {
  method: Method;
  path: string;
  typedPath?: boolean | undefined;
  status: number;
  headers: Record<string, string>;
  /** The body as JSON, or undefined when it is none. */
  body: unknown;
  text: string;
  now: number;
}

/** The error that a non-2xx answer stands for. */
export function apiError(answer: FailedAnswer): SvcError {
  const { status, headers, body, text } = answer;
  const fields = isObject(body) ? body : {};
  const message = messageOf(fields, text) ?? `status ${status}`;
  const facts = {
    status,
    path: answer.path,
    fieldErrors: detailsOf(fields),
    ...optional('requestId', headers['x-request-id'] ?? stringOf(fields.errorId)),
    ...optional('retryAfterMs', retryAfterMs(headers, answer.now)),
    ...(headers['idempotency-replay'] === 'true' ? { idempotentReplay: true } : {}),
  };
  if (/^Cannot [A-Z]+ \//.test(message) && status === 404) {
    if (answer.typedPath) {
      return new SvcError('notFound', `The service has no ${answer.method} ${answer.path}.`, {
        ...facts,
        hint: '`svc schema` lists the operations of the service with their paths, `svc profiles show` its address.',
      });
    }
    return new SvcError('local', `The base URL is not this service: ${message}`, {
      ...facts,
      hint: 'Check the base URL with `svc profiles show`.',
    });
  }
  if (facts.idempotentReplay && status >= 500) {
    return new SvcError(
      'unavailable',
      `${answer.method} ${answer.path}: the first attempt failed; its result is unknown.`,
      facts,
    );
  }
  if (status >= 300 && status < 400) return redirected(answer);
  if (status === 407) {
    return new SvcError('unavailable', `A proxy on the way wants a login: ${message}`, {
      ...facts,
      hint: 'Put user name and password into HTTPS_PROXY or HTTP_PROXY: http://user:password@host:port.',
    });
  }
  if (isPage(headers, text) && status !== 401 && status !== 403) {
    return notApi(answer);
  }
  return new SvcError(endingOf(status, message), message, facts);
}

/** A redirect is not followed: the key belongs to the address it was given for. */
function redirected({ method, path, status, headers }: FailedAnswer): SvcError {
  const { location } = headers;
  const where = location === undefined ? 'elsewhere' : `to ${withoutPrivateParts(location)}`;
  return new SvcError('unavailable', `${method} ${path} was redirected ${where}`, {
    status,
    path,
    hint: 'The key is not sent there. When the service has moved, log in with its new base URL.',
  });
}

/** A location without user name, password and query, which can carry secrets such as the state of a login. */
const withoutPrivateParts = (location: string) =>
  location.replace(/[?#].*/s, '').replace(/^([a-z][a-z0-9+.-]*:)?[\\/]{2,}[^\\/]*@/i, '$1//');

/** The error for an answer that is no JSON of the service: a login page, a proxy, a cut-off body. */
export function notApi(answer: FailedAnswer): SvcError {
  const { method, path, status, headers, text } = answer;
  const isCut = /^\s*[[{]/.test(text) && !isPage(headers, text);
  const what = isPage(headers, text)
    ? 'an HTML page'
    : isCut
      ? 'JSON that is cut off or damaged'
      : 'something that is not JSON';
  return new SvcError(
    'unavailable',
    `${method} ${path} was answered with ${what} (status ${status})${isCut ? '' : ': this is not the API'}`,
    {
      status,
      path,
      hint: isCut
        ? 'Try again; when it stays, look at proxies in between.'
        : 'Check the base URL, and whether a proxy or a login page stands in between.',
    },
  );
}

/** The error for JSON that nests deeper than anything the service sends. */
export const nestedTooDeeply = ({ method, path, status }: FailedAnswer): SvcError =>
  new SvcError(
    'unavailable',
    `${method} ${path} was answered with JSON that is nested too deeply: more than ${maxResponseDepth} levels`,
    {
      status,
      path,
      hint:
        method === 'GET'
          ? 'Check the base URL: the service sends nothing like it.'
          : 'The service carried the request out; only its response cannot be read.',
    },
  );

const missingThing = [
  /^No step found/,
  /^Subscriber not found for this environment/,
  /^SubscriberId: .* not found/,
];

function endingOf(status: number, message: string): ExitReason {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'notFound';
  if (status === 400 && missingThing.some((pattern) => pattern.test(message))) return 'notFound';
  if (status === 408 || status === 429 || status >= 500 || status < 400) return 'unavailable';
  return 'refused';
}

function messageOf(fields: Record<string, unknown>, text: string): string | undefined {
  const { message, error } = fields;
  if (typeof message === 'string' && message !== '') return message;
  if (Array.isArray(message)) return message.map(String).join('; ');
  if (typeof error === 'string') return error;
  const plain = text.trim();
  return plain === '' || plain.startsWith('{') || plain.startsWith('[') || plain.startsWith('<')
    ? undefined
    : plain.slice(0, 300);
}

/** The field messages of a validation failure, in each of the three forms the service uses. */
export function detailsOf(fields: Record<string, unknown>): FieldError[] {
  const { errors } = fields;
  if (Array.isArray(errors)) return errors.filter(isObject).map(detailOf);
  if (!isObject(errors)) return [];
  return Object.entries(errors).flatMap(([name, value]) => {
    const messages = isObject(value) && Array.isArray(value.messages) ? value.messages : [value];
    return messages.map((message) => ({
      field: name === 'general' ? '' : name,
      message: typeof message === 'string' ? message : JSON.stringify(message),
    }));
  });
}

function detailOf(entry: Record<string, unknown>): FieldError {
  const field = Array.isArray(entry.path)
    ? entry.path.join('.')
    : (entry.field ?? entry.subscriberId);
  return {
    field: stringOf(field) ?? '',
    message: stringOf(entry.message) ?? JSON.stringify(entry),
  };
}

const isPage = (headers: Record<string, string>, text: string) =>
  (headers['content-type'] ?? '').includes('html') || /^\s*<(!doctype|html)/i.test(text);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const optional = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [P in K]?: V };
