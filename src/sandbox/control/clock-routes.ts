// Control routes of the clock: show it and move it.
import { asObject } from '../../core/objects.ts';
import type { ClockMove, ClockState } from '../control-client/client.ts';
import { unprocessable } from '../values/http-error.ts';
import { isSupportedTime, timeRangeText } from '../values/time-range.ts';
import { bodyLimit, type ControlOptions, type ControlRoute } from './route.ts';

const path = '/clock';

export function clockRoutes({ store, scheduler }: ControlOptions): ControlRoute[] {
  const { clock } = store;
  const clockState = (): ClockState => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.isFrozen(),
    offset: clock.offset(),
  });
  return [
    {
      method: 'GET',
      path,
      description: { id: 'getClock', summary: 'Show the time in the sandbox', response: 'Clock' },
      handle: clockState,
    },
    {
      method: 'POST',
      path,
      description: {
        id: 'moveClock',
        summary: 'Move the clock and run the jobs that come due before the response',
        body: 'ClockRequest',
        response: 'ClockMove',
        errors: [422],
      },
      async handle({ body }): Promise<ClockMove> {
        const requested = await body(bodyLimit);
        await scheduler.settled();
        const from = clock.now();
        const to = requestedTime(requested, from, from - clock.offset());
        const jobsRun = await scheduler.advanceTo(from, to);
        return { ...clockState(), jobsRun, movedMs: to - from };
      },
    },
  ];
}

/** Reads `{advance: ms}` or `{set: 'ISO time' | 'now'}`; returns milliseconds since the epoch. */
function requestedTime(body: unknown, now: number, machineNow: number): number {
  const { advance, set } = asObject(body);
  if ((advance === undefined) === (set === undefined)) {
    throw unprocessable('give either advance (milliseconds) or set (an ISO time or now)');
  }
  if (advance !== undefined && (typeof advance !== 'number' || !(advance >= 0))) {
    throw unprocessable('advance must be a number of milliseconds, 0 or more');
  }
  if (set === 'now') return machineNow;
  const to = typeof advance === 'number' ? now + advance : Date.parse(String(set));
  if (Number.isNaN(to)) throw unprocessable('set must be an ISO time or now');
  if (!isSupportedTime(to)) throw unprocessable(`the clock can show times ${timeRangeText}`);
  return Math.floor(to);
}
