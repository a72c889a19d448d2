// The typed client: builds a request from the registry's record, sends it with retries, reads the answer.
// Knows HTTP and the registry; nothing of people, files or settings.
import { SvcError, usageError } from '../core/errors.ts';
import { exactText } from '../core/lossless-json.ts';
import { checkBody } from './check-body.ts';
import type { ClientOptions } from './client-options.ts';
import { DryRun, type Outline } from './dry-run.ts';
import { createKeys } from './idempotency-key.ts';
import { type Answer, type Input, type OperationId, record } from './operations/index.ts';
import type { CallOptions, Exchange, RawRequest } from './request.ts';
import { createRetryPolicy } from './retry.ts';
import { createSender } from './send.ts';
import { fillPath, queryString } from './url.ts';

export interface Client {
  readonly baseUrl: string;
  /** Calls an operation. A body that breaks its schema is refused (usage) before anything is sent. */
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Answer<Id>>;
  /** As `call`, with status, headers and number of attempts. */
  exchange<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Exchange<Answer<Id>>>;
  /**
   * One exchange after the other, once all inputs are found right. What is refused comes as its error, and the next
   * one follows; any other error comes last. A dry run shows all of the requests.
   */
  each<Id extends OperationId>(
    id: Id,
    inputs: readonly Input<Id>[],
  ): AsyncGenerator<Exchange<Answer<Id>> | SvcError, void, void>;
  /** The request that `call` would send: target and body bytes, checked. */
  prepare<Id extends OperationId>(id: Id, input: Input<Id>): Promise<RawRequest>;
  /** Sends bytes that are already checked. */
  send(request: RawRequest): Promise<Exchange<unknown>>;
  /** Ends what is under way: nothing is sent again. */
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, clock, transport } = options;
  const policy = createRetryPolicy({ ...options, now: clock.now });
  const keyFor = createKeys(options);
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
  const sendWithRetries = createSender({ ...options, policy, headersFor, closed: closed.signal });

  const outlineOf = ({ method, target, body }: RawRequest, headers: Record<string, string>) => ({
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
    if (options.dryRun && request.method !== 'GET') throw new DryRun([outlineOf(request, headers)]);
    policy.began();
    return sendWithRetries(request, key);
  };

  const prepare = async (id: OperationId, input: Input<OperationId>): Promise<RawRequest> => {
    const operation = record(id);
    const query = queryString(input.query ?? {}, operation.arrayQuery);
    const target = fillPath(operation.path, input.path ?? {}) + query;
    const request: RawRequest = {
      method: operation.method,
      target,
      ownData: operation.ownData === true,
      idempotent: operation.idempotent?.(input.body) ?? false,
    };
    if (input.body === undefined) return request;
    await checkBody(operation, input.body);
    return { ...request, body: Buffer.from(exactText(input.body)) };
  };

  const exchange = async <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    call: CallOptions = {},
  ) => {
    const request = await prepare(id, input as Input<OperationId>);
    const answer = await send({ ...request, ...call });
    options.answered?.(id, input as Input<OperationId>, answer.value);
    return answer as Exchange<Answer<Id>>;
  };

  async function* each<Id extends OperationId>(id: Id, inputs: readonly Input<Id>[]) {
    const held: Outline[] = [];
    // What is wrong with one is said before any is sent.
    for (const input of inputs) await prepare(id, input as Input<OperationId>);
    for (const input of inputs) {
      try {
        yield await exchange(id, input);
      } catch (error) {
        if (error instanceof DryRun) held.push(...error.requests);
        else if (!(error instanceof SvcError)) throw error;
        else {
          yield error;
          if (error.exitReason !== 'refused' && error.exitReason !== 'notFound') return;
        }
      }
    }
    if (held.length > 0) throw new DryRun(held);
  }

  return {
    baseUrl,
    exchange,
    each,
    call: async (id, input, call) => (await exchange(id, input, call)).value,
    prepare: (id, input) => prepare(id, input as Input<OperationId>),
    send,
    close: () => {
      closed.abort();
      return transport.close();
    },
  };
}

const maskedSecretError = (field: string, mask: string) =>
  usageError(`\`${field}\` is ${mask}, which stands for a masked secret.`, {
    hint: 'Sent, it would replace the secret. Leave the field out, or give the secret itself.',
  });
