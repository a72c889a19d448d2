// Triggers the events of a state, each with the clock at its time, and runs the jobs that came due since.
import { readDuration } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import { acceptEvent } from '../engine/accept-event.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import { markMessage } from '../engine/mark-message.ts';
import { runDue } from '../engine/run-due.ts';
import { messagesOfTransaction } from '../store/messages.ts';
import type { Scope, Store } from '../store/scope.ts';
import type { Ids } from '../values/ids.ts';
import { boundTime } from '../values/time-range.ts';
import type { EventState } from './schema.ts';

interface Action {
  time: number;
  act(scope: Scope): void;
  environmentId: string;
}

/** Throws if the engine does not process an event: the events of a state must have an effect. */
export function seedEvents(
  { sql, clock, scope: open }: Pick<Store, 'sql' | 'clock' | 'scope'>,
  ids: Ids,
  environments: readonly { id: string; name: string; events?: EventState[] | undefined }[],
): void {
  const now = clock.now();
  const scope = (id: string) => ({ ...open(id), ids, jobsAt: undefined });
  const onInternalError = (error: unknown) => {
    throw error;
  };
  const runUntil = (time: number) => runDue({ sql, clock, scope, onInternalError }, time);
  const actions = environments.flatMap(({ id, name, events = [] }) =>
    events.flatMap((event, index) =>
      toActions(event, now, `Event ${index + 1} of environment ${name}`, ids).map((action) => ({
        ...action,
        environmentId: id,
      })),
    ),
  );
  for (const { time, act, environmentId } of actions.toSorted((a, b) => a.time - b.time)) {
    runUntil(time);
    clock.withTime(time, () => act(scope(environmentId)));
  }
  runUntil(now);
}

function toActions(
  { ago, cancelAfter, markAs, ...given }: EventState,
  now: number,
  title: string,
  ids: Ids,
): Omit<Action, 'environmentId'>[] {
  const time = boundTime(now - readDuration(ago));
  const { transactionId = ids.transactionId() } = given;
  const trigger = (scope: Scope) => {
    const { status, error = [] } = acceptEvent(scope, { payload: {}, ...given, transactionId });
    if (status === 'processed') return;
    throw usageError(`${title} is not processed: ${error.join(', ') || status}.`, {
      hint: 'Fix the event in the state file.',
    });
  };
  const cancel = (scope: Scope) => cancelTransaction(scope, transactionId);
  const mark = (scope: Scope) => {
    for (const message of messagesOfTransaction(scope, transactionId))
      if (message.channel === 'in_app' && markAs) markMessage(scope, message, markAs);
  };
  return [
    { time, act: trigger },
    ...(cancelAfter === undefined ? [] : [{ time: time + readDuration(cancelAfter), act: cancel }]),
    ...(markAs === undefined ? [] : [{ time: now, act: mark }]),
  ];
}
