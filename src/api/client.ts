// The typed client: builds a request from the registry's record, sends it with retries, reads the answer.
// Knows HTTP and the registry; nothing of people, files or settings.
import { SvcError, usageError } from '../errors.ts';
import { exactText } from '../exact-numbers.ts';
import { bodyText, readAnswer } from './answer.ts';
import { checkBody } from './check-body.ts';
import type { ClientOptions } from './client-options.ts';
import { DryRun, type Outline } from './dry-run.ts';
import { createKeys } from './idempotency-key.ts';
import { type Answer, type Input, type OperationId, record } from './operations/index.ts';
import { redactionOf } from './redaction.ts';
import type { CallOptions, Exchange, RawRequest } from './request.ts';
import { createRetryPolicy, mayHaveActed, type Outcome } from './retry.ts';
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
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const keyFor = createKeys(options);
  const withoutKey = redactionOf(options.apiKey, options.mask);
  const closed = new AbortController();

  const pathOf = ({ target }: RawRequest) => prefix + (target.split('?')[0] ?? '');

  const headersFor = (request: RawRequest, key: string | undefined) => ({
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': options.userAgent,
    ...(request.body ? { 'content-type': 'application/json' } : {}),
    ...request.headers,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    authorization: `ApiKey ${options.apiKey}`,
  });

  const attempt = async (request: RawRequest, headers: Record<string, string>, number: number) => {
    const { method, target, body, signal } = request;
    const url = `${baseUrl}${target}`;
    const deadline = clock.deadline(options.timeoutMs, signal);
    const began = clock.ticks();
    options.observe?.({
      kind: 'request',
      method,
      url,
      headers,
      attempt: number,
      ...(body ? { body } : {}),
    });
    try {
      const response = await transport({
        method,
        url,
        headers,
        signal: deadline.signal,
        ...(body ? { body } : {}),
      });
      const text = await bodyText(response.headers, response.bytes);
      const quoted = withoutKey(text);
      options.observe?.({
        kind: 'answer',
        method,
        url,
        status: response.status,
        headers: response.headers,
        text: quoted,
        ms: clock.ticks() - began,
      });
      // The keys of environments are such an answer, and asked for.
      const isGood = response.status >= 200 && response.status < 300;
      const safe = isGood
        ? response
        : { ...response, headers: mapped(response.headers, withoutKey) };
      const from = { ...request, path: pathOf(request) };
      return await readAnswer(from, safe, isGood ? text : quoted, clock.now());
    } catch (error) {
      if (error instanceof SvcError) throw error;
      options.observe?.({ kind: 'failure', method, url, error, ms: clock.ticks() - began });
      if (signal?.aborted) throw error;
      const { connectionError } = await import('./connection-error.ts');
      throw connectionError(error, {
        baseUrl,
        method,
        path: pathOf(request),
        timeoutMs: options.timeoutMs,
        ...(options.proxy ? { proxy: options.proxy } : {}),
        ...(options.whenRefused ? { whenRefused: options.whenRefused } : {}),
      });
    } finally {
      deadline.clear();
    }
  };

  const outlineOf = ({ method, target, body }: RawRequest, headers: Record<string, string>) => ({
    method,
    url: `${baseUrl}${target}`,
    headers,
    ...(body ? { body: Buffer.from(body).toString('utf8') } : {}),
  });

  const send = async (request: RawRequest): Promise<Exchange<unknown>> => {
    if (request.body && Buffer.from(request.body).includes(options.mask)) {
      throw usageError(`The request carries ${options.mask}, which stands for a masked secret.`, {
        hint: 'Sent, it would replace the secret. Leave the field out, or give the secret itself.',
      });
    }
    const key = await keyFor(request);
    const headers = headersFor(request, key);
    if (options.dryRun && request.method !== 'GET') throw new DryRun([outlineOf(request, headers)]);
    policy.began();
    let uncertain = false;
    for (let number = 1; ; number += 1) {
      try {
        return { ...(await attempt(request, headers, number)), attempts: number, uncertain };
      } catch (error) {
        const outcome = failureOf(error);
        if (!outcome || !(error instanceof SvcError)) throw error;
        if (uncertain && request.method === 'DELETE' && error.facts.status === 404) {
          return { value: undefined, status: 404, headers: {}, attempts: number, uncertain };
        }
        uncertain ||= mayHaveActed(outcome);
        const answer = policy.decide({
          method: request.method,
          keyed: key !== undefined,
          attempt: number,
          outcome,
        });
        Object.assign(error.facts, { attempts: number, uncertain });
        if (!answer.again) {
          if (answer.tooLongMs !== undefined) error.facts.tooLongMs = answer.tooLongMs;
          throw error;
        }
        options.observe?.({ kind: 'retry', afterMs: answer.afterMs, reason: answer.reason });
        request.retrying?.({ status: error.facts.status, afterMs: answer.afterMs });
        await waited(request, answer.afterMs, error);
      }
    }
  };

  const waited = async ({ signal, patience }: RawRequest, ms: number, error: SvcError) => {
    const ends = [closed.signal, signal, patience].filter((one) => one !== undefined);
    await clock.sleep(ms, AbortSignal.any(ends)).catch((reason: unknown) => {
      throw patience?.aborted && !signal?.aborted ? error : reason;
    });
  };

  const prepare = async (id: OperationId, input: Input<OperationId>): Promise<RawRequest> => {
    const operation = record(id);
    const target = fillPath(operation.path, input.path ?? {}) + queryString(input.query ?? {});
    const request: RawRequest = {
      method: operation.method,
      target,
      ownData: operation.ownData === true,
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
          if (error.ending !== 'refused' && error.ending !== 'notFound') return;
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

const mapped = (headers: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

/** The outcome that an error of an attempt carries, for the retry policy. */
function failureOf(error: unknown): Outcome | undefined {
  return error instanceof SvcError && 'outcome' in error ? (error.outcome as Outcome) : undefined;
}
