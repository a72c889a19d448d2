// One request of an operation from its key to its answer: limits, faults, checks, and the work with
// the answer that its idempotency key is remembered by, in one transaction.
import { type OperationId, record } from '../../api/operations/index.ts';
import type { Agenda, Timer } from '../engine/scheduler.ts';
import { handlers } from '../handlers/index.ts';
import type { Clock, Ids } from '../ids.ts';
import type { Store } from '../store/open.ts';
import { authorize } from './authorization.ts';
import { ConnectionCut } from './connection-cut.ts';
import { enveloped } from './envelope.ts';
import type { FaultPlan, Faults } from './faults.ts';
import { Refusal, tooMany } from './http-error.ts';
import { createIdempotency } from './idempotency.ts';
import { createRateLimits } from './rate-limits.ts';
import { readJson } from './request-body.ts';
import { type Answered, type Responses, responseOf } from './responses.ts';
import { check, queryOf } from './validation.ts';

export interface OperationsOptions {
  store: Store;
  /** The machine's. */
  clock: Clock;
  ids: Ids;
  agenda: Agenda;
  faults: FaultPlan;
  responses: Responses;
  timer: Timer | undefined;
  envelope: boolean;
}

export type AnswerOperation = (
  id: OperationId,
  request: Request,
  path: Record<string, string>,
) => Promise<Response>;

/** What a handler is given, before it is taken for the call of one operation. */
interface CheckedCall {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
  scope: ReturnType<Store['scope']>;
}

export function createOperations(options: OperationsOptions): AnswerOperation {
  const { store, clock, ids, agenda, faults, responses, timer, envelope } = options;
  const takeTokens = createRateLimits(clock);
  const idempotency = createIdempotency(store.sql, clock);

  const pause = (ms: number) =>
    new Promise<void>((resolve) => (timer ? timer(ms, resolve) : resolve()));

  const limit = (id: OperationId, environmentId: string) => {
    const { rateLimit } = faults.settings();
    return rateLimit && takeTokens(rateLimit, environmentId, record(id).rate);
  };

  /** Runs the handler; what may write does so in one transaction. Everything is answered. */
  const perform = (
    request: Request,
    id: OperationId,
    work: () => unknown,
    keep: Keep,
  ): Answered => {
    const attempt = () => {
      const answer = work();
      const answered =
        answer instanceof Refusal ? responses.tell(request, answer) : success(id, answer, envelope);
      keep(answered);
      return answered;
    };
    try {
      return record(id).method === 'GET' ? attempt() : store.sql.transaction(attempt);
    } catch (error) {
      const answered = responses.tell(request, error);
      keep(answered);
      return answered;
    }
  };

  const answer = async (
    id: OperationId,
    request: Request,
    path: Record<string, string>,
    environmentId: string,
    met: Faults,
  ): Promise<Answered> => {
    const { bodyLimit, schemas, method } = record(id);
    const { query, body } = await schemas();
    const given = body && (await readJson(request, bodyLimit));
    const keyed = idempotency.read(request, given);
    const before = keyed && idempotency.claim(keyed);
    if (before) return { ...before, headers: { 'idempotency-replay': 'true' } };
    try {
      // Without a fault nothing is waited for: work then follows its claim at once.
      if (met.latency > 0) await pause(met.latency);
      meet(met.before, met.status);
      agenda.catchUp();
      const work = () => {
        const call: CheckedCall = {
          path,
          query: query && check(id, query, queryOf(new URL(request.url).searchParams)),
          body: body && check(id, body, given),
          scope: { ...store.scope(environmentId), ids },
        };
        return (handlers[id] as (call: CheckedCall) => unknown)(call);
      };
      const answered = perform(request, id, work, (one) => keyed && idempotency.keep(keyed, one));
      if (method !== 'GET') {
        agenda.arm();
        meet(met.afterCommit, met.status);
      }
      return answered;
    } finally {
      if (keyed) idempotency.release(keyed);
    }
  };

  return async (id, request, path) => {
    const environmentId = authorize(store.sql, request.headers.get('authorization'));
    const met = faults.next();
    const verdict = limit(id, environmentId);
    let answered: Answered;
    try {
      if (verdict && !verdict.allowed) throw tooMany('API rate limit exceeded');
      answered = await answer(id, request, path, environmentId, met);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      answered = responses.tell(request, error);
    }
    const headers = { ...answered.headers, ...verdict?.headers };
    const whole = { ...answered, headers };
    if (met.truncate) throw new ConnectionCut(whole);
    return responseOf(whole);
  };
}

type Keep = (answered: Answered) => void;

function meet(fault: 'fail' | 'reset' | undefined, status: number): void {
  if (fault === 'reset') throw new ConnectionCut();
  if (fault === 'fail') throw new Refusal(status, 'A fault that the sandbox was told to make');
}

function success(id: OperationId, answer: unknown, envelope: boolean): Answered {
  const status = record(id).success;
  if (status === 204) return { status, text: undefined };
  return { status, text: JSON.stringify(envelope ? enveloped(answer) : answer) };
}
