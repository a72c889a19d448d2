// The typed API client: builds a request from the operation's record, sends it with retries and reads the response.
// The client does not depend on prompts, files or settings.
import { SvcError, usageError } from '../core/errors.ts';
import { stringifyExact } from '../core/lossless-json.ts';
import { asObject, keepMatching, valuesAt } from '../core/objects.ts';
import { type Operation, resultMembers } from '../service/operation.ts';
import {
  type Input,
  type OperationId,
  type ResponseBody,
  record,
} from '../service/operations/index.ts';
import { formatIssue, withPlainMessages } from '../service/schemas/plain-messages.ts';
import type { ClientOptions } from './client-options.ts';
import { DryRun } from './dry-run.ts';
import type { CallOptions, Exchange, RawRequest } from './request.ts';
import { createRetryPolicy } from './retry.ts';
import { createKeyChooser, createSender } from './send.ts';
import { fillPath, queryString } from './url.ts';

export interface Client {
  readonly baseUrl: string;
  /** Calls an operation and returns the response body. Throws a usage error if the request body is not valid. */
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<ResponseBody<Id>>;
  /** Like `call`, but also returns the status, headers and number of attempts. */
  exchange<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Exchange<ResponseBody<Id>>>;
  /** Returns the validated request that `call` would send. */
  prepare<Id extends OperationId>(id: Id, input: Input<Id>): Promise<RawRequest>;
  /** Sends a request that is already validated. */
  send(request: RawRequest): Promise<Exchange<unknown>>;
  /** Aborts pending requests and retries and closes the connections. */
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, clock, transport } = options;
  const policy = createRetryPolicy({ ...options, now: clock.now });
  const keyFor = createKeyChooser(options);
  const closed = new AbortController();
  const headersFor = (request: RawRequest, key: string | undefined) => ({
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': options.userAgent,
    ...(request.body ? { 'content-type': 'application/json' } : {}),
    ...request.headers,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    authorization: `ApiKey ${options.apiKey}`,
  });
  const sendWithRetries = createSender({
    ...options,
    policy,
    headersFor,
    closeSignal: closed.signal,
  });

  const plannedRequest = (
    { method, target, body }: RawRequest,
    headers: Record<string, string>,
  ) => ({
    method,
    url: `${baseUrl}${target}`,
    headers,
    ...(body ? { body: Buffer.from(body).toString('utf8') } : {}),
  });

  const send = async (request: RawRequest): Promise<Exchange<unknown>> => {
    const secret = request.body && options.maskedSecret(request.body);
    if (secret !== undefined) throw maskedSecretError(secret, options.mask);
    const key = await keyFor(request);
    const headers = headersFor(request, key);
    if (options.dryRun && request.method !== 'GET')
      throw new DryRun([plannedRequest(request, headers)]);
    policy.countRequest();
    return sendWithRetries(request, key);
  };

  const prepare = async (id: OperationId, input: Input<OperationId>): Promise<RawRequest> => {
    const operation = record(id);
    const query = queryString(input.query ?? {}, operation.arrayQuery);
    const target = fillPath(operation.path, input.path ?? {}) + query;
    const request: RawRequest = {
      method: operation.method,
      target,
      hasDataField: operation.hasDataField === true,
      isOptional: operation.source === 'service',
      idempotent: operation.idempotent?.(input.body) ?? false,
      resultMembers: await resultMembers(operation),
    };
    if (input.body === undefined) return request;
    await checkBody(operation, input.body);
    return { ...request, body: Buffer.from(stringifyExact(input.body)) };
  };

  const exchange = async <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    callOptions: CallOptions = {},
  ) => {
    const request = await prepare(id, input as Input<OperationId>);
    const sent = await send({ ...request, ...callOptions });
    refuseUnfiltered(sent.value, input.query, record(id));
    const result = {
      ...sent,
      value: keepMatching(sent.value, input.query, record(id).exactFilters),
    };
    options.onResponse?.(id, input as Input<OperationId>, result.value);
    return result as Exchange<ResponseBody<Id>>;
  };

  return {
    baseUrl,
    exchange,
    call: async (id, input, callOptions) => (await exchange(id, input, callOptions)).value,
    prepare: (id, input) => prepare(id, input as Input<OperationId>),
    send,
    close: () => {
      closed.abort();
      return transport.close();
    },
  };
}

/** Throws if an item shows that the server ignored a filter. */
function refuseUnfiltered(
  response: unknown,
  query: object = {},
  { laterFilters = {}, method, path }: Operation,
): void {
  const { data } = asObject(response);
  for (const [name, paths] of Object.entries(laterFilters)) {
    const wanted: unknown = Reflect.get(query, name);
    if (wanted === undefined || !Array.isArray(data)) continue;
    const isMatch = (item: unknown) => paths.some((at) => valuesAt(item, at).includes(wanted));
    if (data.every(isMatch)) continue;
    throw new SvcError('notFound', `This server does not offer ${method} ${path} with ${name}.`, {
      path,
      notOffered: true,
      hint: 'A newer server may offer it.',
    });
  }
}

const maskedSecretError = (field: string, mask: string) =>
  usageError(`\`${field}\` is ${mask}, the mask of a secret.`, {
    hint: 'Sending it would overwrite the secret. Omit the field, or give the real value.',
  });

/** Throws a usage error that names each invalid field if the body does not match the operation's schema. */
async function checkBody(operation: Operation, body: unknown): Promise<void> {
  const { body: schema } = await operation.schemas();
  const checked = schema?.safeParse(body, withPlainMessages);
  if (!checked || checked.success) return;
  const fieldErrors = checked.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }));
  const [first] = checked.error.issues;
  throw usageError(
    `The request is not valid: ${first ? formatIssue(first) : ''}.`,
    fieldErrors.length > 1 ? { fieldErrors } : {},
  );
}
