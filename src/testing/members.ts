// The members of a sandbox in a test: clock, messages, faults and state. They use its control routes, without a socket.
import { isoTime, parseTime, readDuration } from '../core/durations.ts';
import { SvcError, usageError } from '../core/errors.ts';
import { closestMatches } from '../core/suggestions.ts';
import {
  type CapturedMessage,
  type ControlClient,
  type ControlRequest,
  createControlClient,
  notEmulatedText,
} from '../sandbox/control/client.ts';
import {
  allPages,
  deliveredMessages,
  describePendingJobs,
  earlyEndTexts,
  explainMissingMessages,
  waitForMessages,
} from '../sandbox/control/wait-for-messages.ts';
import { sleep, systemClock } from '../sandbox/index.ts';
import type {
  Message,
  MessageFilter,
  RequestFilter,
  Sandbox,
  SandboxClock,
  SandboxEnvironment,
  WaitOptions,
} from './types.ts';

interface Target {
  url: string;
  key: string;
  handle(request: Request): Promise<Response>;
}

type Members = Pick<
  Sandbox,
  | 'clock'
  | 'messages'
  | 'waitForMessages'
  | 'activity'
  | 'requests'
  | 'faults'
  | 'reset'
  | 'snapshot'
  | 'restore'
  | 'export'
>;

/** Shorter than the 5 seconds of a test in vitest and jest, which would end the test without the reasons. */
const defaultTimeout = '4s';
/** Milliseconds between two looks at the messages, which need no connection. */
const intervalMs = 10;

/** The error that names the requested routes which the sandbox does not have; undefined if there are none. */
type UnhandledError = () => Promise<Error | undefined>;

const createTestControl = (target: Target): ControlClient =>
  createControlClient((request) => send(target, request));

export const createUnhandledError = (target: Target): UnhandledError => {
  const control = createTestControl(target);
  return async () => {
    const { notEmulated } = await control.status();
    if (notEmulated.length === 0) return undefined;
    return new Error(
      `The application requested routes that exist in the service, not in the sandbox: ${notEmulatedText(notEmulated)}`,
    );
  };
};

export function createMembers(target: Target, unhandledError: UnhandledError): Members {
  const control = createTestControl(target);
  let snapshots = 0;
  const checkUnhandled = async () => {
    const error = await unhandledError();
    if (error) throw error;
  };
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
    async messages(filter = {}) {
      await checkUnhandled();
      return checkedMessages(control, filter);
    },
    waitForMessages: ({ count = 1, timeout = defaultTimeout, ...filter } = {}) =>
      inPlainErrors(async () => {
        checkCount(count);
        const timeoutMs = readSpan(timeout);
        const query = toQuery(filter);
        const wait = { count, timeoutMs, now: systemClock.now, sleep, intervalMs };
        const outcome = await waitForMessages(control, query, wait);
        await checkUnhandled();
        const messages = await deliveredMessages(control, { ...query, ...withText });
        if (outcome === 'captured') return messages.map(toMessage);
        const end = outcome === 'timeout' ? ` after ${timeoutMs} ms.` : earlyEndTexts[outcome];
        const title = `${messages.length} of ${count} messages${filterText(filter)}${end}`;
        throw new Error([title, ...(await missingLines(control, filter))].join('\n'));
      }),
    activity: async (filter = {}) => {
      const query = toQuery(filter);
      return allPages((page) => control.activity({ ...query, ...page }));
    },
    requests: (filter = {}) =>
      inPlainErrors(async () => {
        checkFilter(filter, requestFilterNames);
        const since = await toIsoTime(filter.since, control);
        return allPages((page) => control.requests({ ...filter, since, ...page }));
      }),
    faults: {
      set: (settings) => control.setFaults(settings),
      show: () => control.faults(),
      clear: async () => void (await control.clearFaults()),
    },
    reset: async () => void (await control.reset()),
    async snapshot() {
      snapshots += 1;
      const { name } = await control.saveSnapshot(`test-${snapshots}`);
      return { name };
    },
    restore: async ({ name }) => void (await control.restoreSnapshot(name)),
    export: async () => control.exportState(true),
  };
}

const withText = { text: 'true' };

/** The member is only absent in a list that was read without it. */
const toMessage = ({ text, ...message }: CapturedMessage): Message => ({
  ...message,
  text: text ?? message.body,
});

/** Throws for an unknown workflow: a test that expects no message must not pass because of a typo. */
async function checkedMessages(control: ControlClient, filter: MessageFilter) {
  const query = toQuery(filter);
  const captured = await allPages((page) => control.messages({ ...query, ...page, ...withText }));
  const messages = captured.map(toMessage);
  if (messages.length > 0 || filter.workflow === undefined) return messages;
  const { knownWorkflows } = await control.messages({ workflow: filter.workflow, limit: 1 });
  if (knownWorkflows) throw new Error(unknownWorkflow(filter.workflow, knownWorkflows));
  return messages;
}

/** The reasons why messages are missing, one a line. */
async function missingLines(control: ControlClient, filter: MessageFilter): Promise<string[]> {
  const { knownWorkflows, reasons } = await explainMissingMessages(control, toQuery(filter));
  const pending = await describePendingJobs(control);
  return [
    ...(knownWorkflows ? [unknownWorkflow(filter.workflow ?? '', knownWorkflows)] : []),
    ...reasons.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
    ...(pending
      ? [`${pending.text} Move the clock: sandbox.clock.set('${pending.nextJobAt}').`]
      : []),
  ].map((line) => `  ${line}`);
}

function unknownWorkflow(workflow: string, workflowIds: readonly string[]): string {
  const [close] = closestMatches(workflow, workflowIds);
  const hint =
    close === undefined
      ? `The workflows are: ${workflowIds.join(', ') || 'none'}.`
      : `Did you mean "${close}"?`;
  return `Unknown workflow "${workflow}". ${hint}`;
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
const requestFilterNames = [
  'method',
  'path',
  'status',
  'since',
  'outcome',
] as const satisfies readonly (keyof RequestFilter)[];

/** Throws for a misspelled name, because a filter that is ignored would match everything. */
function checkFilter(filter: object, names: readonly string[]): void {
  const unknown = Object.keys(filter).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown filter: ${unknown}. The filters are: ${names.join(', ')}.`);
}

function toQuery(filter: MessageFilter) {
  checkFilter(filter, filterNames);
  const { subscriber, channel, workflow, transaction } = filter;
  return { subscriberId: subscriber, channel, workflow, transactionId: transaction };
}

const filterText = (filter: MessageFilter): string => {
  const members = Object.entries(filter).filter(([, value]) => value !== undefined);
  return members.map(([name, value]) => ` ${name}=${value}`).join('');
};

function checkCount(count: NonNullable<WaitOptions['count']>): void {
  if (!Number.isInteger(count) || count < 1)
    throw usageError(`count must be a whole number of 1 or more, not ${count}.`);
}

const readSpan = (duration: string | number) =>
  typeof duration === 'number' ? duration : Math.round(readDuration(duration));

const toMs = (time: string | Date) => (typeof time === 'string' ? parseTime(time) : time.getTime());

/** A duration counts back from the time of the sandbox. */
async function toIsoTime(time: string | Date | undefined, control: ControlClient) {
  if (time === undefined) return undefined;
  if (typeof time !== 'string') return time.toISOString();
  const ms = isoTime(time) ?? Date.parse((await control.clock()).now) - readDuration(time);
  return new Date(ms).toISOString();
}

// An environment of a sandbox for one of several tests that run at the same time.

export async function openEnvironment(
  target: Target,
  fetch: Sandbox['fetch'],
  unhandledError: UnhandledError,
): Promise<SandboxEnvironment> {
  const { environmentId, key, applicationIdentifier } =
    await createTestControl(target).copyEnvironment();
  const own = { ...target, key };
  const { export: _, ...members } = createMembers(own, unhandledError);
  return {
    url: target.url,
    key,
    applicationIdentifier,
    fetch,
    ...members,
    remove: async () => void (await createTestControl(own).removeEnvironment(environmentId)),
  };
}

// Test runners show the message of an error, so the message gets the details that svc prints below it.

/** Runs a function. An error of svc becomes one whose message contains all of its details. */
export async function inPlainErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof SvcError ? plainError(error) : error;
  }
}

function plainError(error: SvcError): Error {
  const { fieldErrors = [], hint } = error.details;
  const lines = fieldErrors.map(({ field, message }) => `  ${[field, message].join(' ').trim()}`);
  const message = [error.message, ...lines, ...(hint === undefined ? [] : [hint])].join('\n');
  // Not the error itself as the cause: a test runner would print the same message twice.
  return new Error(message, error.cause === undefined ? undefined : { cause: error.cause });
}
