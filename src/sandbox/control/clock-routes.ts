// Control routes of the clock: show it and move it.
import type { Hono } from 'hono';
import type { Scheduler } from '../engine/scheduler.ts';
import { authorize } from '../http/authorization.ts';
import { unprocessable } from '../http/http-error.ts';
import { readJson } from '../http/request-body.ts';
import { json } from '../http/responses.ts';
import type { Store } from '../store/scope.ts';

const path = '/__sandbox/clock';
const bodyLimit = 1_000;
/** The largest time value of a Date, in milliseconds. */
const maxTime = 8.64e15;

export function clockRoutes(
  app: Hono,
  { store, scheduler }: { store: Store; scheduler: Scheduler },
): void {
  const { clock, sql } = store;
  const clockState = () => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.isFrozen(),
    offset: clock.offset(),
  });
  app.get(path, ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    return json(200, clockState());
  });
  app.post(path, async ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    const body = await readJson(req.raw, bodyLimit);
    scheduler.catchUp();
    const from = clock.now();
    const to = requestedTime(body, from, from - clock.offset());
    const jobsRun = scheduler.advanceTo(from, to);
    return json(200, { ...clockState(), jobsRun, movedMs: to - from });
  });
}

/** Reads `{advance: ms}` or `{set: 'ISO time' | 'now'}`; returns milliseconds since the epoch. */
function requestedTime(body: unknown, now: number, machineNow: number): number {
  const { advance, set } = (typeof body === 'object' && body !== null ? body : {}) as {
    advance?: unknown;
    set?: unknown;
  };
  if ((advance === undefined) === (set === undefined)) {
    throw unprocessable('give either advance (milliseconds) or set (an ISO time or now)');
  }
  if (advance !== undefined && (typeof advance !== 'number' || !(advance >= 0))) {
    throw unprocessable('advance must be a number of milliseconds, 0 or more');
  }
  if (set === 'now') return machineNow;
  const to = typeof advance === 'number' ? now + advance : Date.parse(String(set));
  if (!(Math.abs(to) <= maxTime)) {
    throw unprocessable(
      set === undefined ? 'advance is too large' : 'set must be an ISO time or now',
    );
  }
  return Math.floor(to);
}
