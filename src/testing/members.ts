// The members of a sandbox in a test: clock, messages, faults and state. They use its control routes, without a socket.
import { readDuration } from '../core/durations.ts';
import { usageError } from '../core/errors.ts';
import { parseTime } from '../core/iso-time.ts';
import { type ControlRequest, createControlClient } from '../sandbox/control/client.ts';
import {
  allMessages,
  describePendingJobs,
  waitForMessages,
} from '../sandbox/control/wait-for-messages.ts';
import { sleep, systemClock } from '../sandbox/index.ts';
import { inPlainErrors } from './plain-error.ts';
import type { MessageFilter, Sandbox, SandboxClock, WaitOptions } from './types.ts';

export interface Target {
  url: string;
  key: string;
  handle(request: Request): Promise<Response>;
}

type Members = Pick<
  Sandbox,
  'clock' | 'messages' | 'waitForMessages' | 'faults' | 'reset' | 'export'
>;

/** Milliseconds between two looks at the messages, which need no connection. */
const intervalMs = 10;

export function createMembers(target: Target): Members {
  const control = createControlClient((request) => send(target, request));
  const clock: SandboxClock = {
    advance: (duration) => inPlainErrors(async () => control.advanceClock(readSpan(duration))),
    set: (time) =>
      inPlainErrors(async () =>
        control.setClock(time === 'now' ? time : new Date(toMs(time)).toISOString()),
      ),
    show: control.clock,
  };
  return {
    clock,
    messages: async (filter = {}) => allMessages(control, toQuery(filter)),
    waitForMessages: ({ count = 1, timeout = '10s', ...filter } = {}) =>
      inPlainErrors(async () => {
        checkCount(count);
        const timeoutMs = readSpan(timeout);
        const query = toQuery(filter);
        const wait = { count, timeoutMs, now: systemClock.now, sleep, intervalMs };
        const isComplete = await waitForMessages(control, query, wait);
        const found = await allMessages(control, query);
        if (isComplete) return found;
        const pending = await describePendingJobs(control);
        throw new Error(
          [
            `${found.length} of ${count} messages${filterText(filter)} after ${timeoutMs} ms.`,
            ...(pending === undefined
              ? []
              : [`${pending.text} Move the clock: sandbox.clock.set('${pending.nextJobAt}').`]),
          ].join(' '),
        );
      }),
    faults: {
      set: (settings) => control.setFaults(settings),
      show: () => control.faults(),
      clear: async () => void (await control.clearFaults()),
    },
    reset: async () => void (await control.reset()),
    export: async () => control.exportState(true),
  };
}

async function send({ url, key, handle }: Target, { method, target, body }: ControlRequest) {
  const response = await handle(
    new Request(`${url}${target}`, {
      method,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
  const value: unknown = await response.json();
  if (response.ok) return value;
  const { message } = value as { message?: unknown };
  throw new Error(`The sandbox rejected ${method} ${target}: ${String(message)}`);
}

const filterNames = ['subscriber', 'channel', 'workflow', 'transaction'] as const;

/** Throws for a misspelled name, because a filter that is ignored would match everything. */
function toQuery(filter: MessageFilter) {
  const unknown = Object.keys(filter).find((name) => !filterNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(`Unknown filter: ${unknown}. The filters are: ${filterNames.join(', ')}.`);
  const { subscriber, channel, workflow, transaction } = filter;
  return { subscriberId: subscriber, channel, workflow, transactionId: transaction };
}

const filterText = (filter: MessageFilter): string => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}=${value}`).join('');
};

function checkCount(count: NonNullable<WaitOptions['count']>): void {
  if (!Number.isInteger(count) || count < 1)
    throw usageError(`count must be a whole number of 1 or more, not ${count}.`);
}

const readSpan = (duration: string | number) =>
  typeof duration === 'number' ? duration : Math.round(readDuration(duration));

const toMs = (time: string | Date) => (typeof time === 'string' ? parseTime(time) : time.getTime());
