// The sandbox's own routes about its time: what it is, and moving it.
import type { Hono } from 'hono';
import type { Scheduler } from '../engine/scheduler.ts';
import { authorize } from '../http/authorization.ts';
import { unprocessable } from '../http/http-error.ts';
import { readJson } from '../http/request-body.ts';
import { json } from '../http/responses.ts';
import type { Store } from '../store/open.ts';

const path = '/__sandbox/clock';
const bodyLimit = 1_000;
/** What a date can hold. */
const lastMoment = 8.64e15;

export function clockRoutes(
  app: Hono,
  { store, scheduler }: { store: Store; scheduler: Scheduler },
): void {
  const { clock, sql } = store;
  const shown = () => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.isFrozen(),
    offset: clock.offset(),
  });
  app.get(path, ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    return json(200, shown());
  });
  app.post(path, async ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    const body = await readJson(req.raw, bodyLimit);
    scheduler.catchUp();
    const from = clock.now();
    const to = destination(body, from, from - clock.offset());
    const ran = scheduler.advanceTo(from, to);
    return json(200, { ...shown(), ran, moved: to - from });
  });
}

function destination(body: unknown, now: number, machine: number): number {
  const { advance, set } = (typeof body === 'object' && body !== null ? body : {}) as {
    advance?: unknown;
    set?: unknown;
  };
  if ((advance === undefined) === (set === undefined)) {
    throw unprocessable('one of advance (milliseconds) and set (an ISO time, or now) is needed');
  }
  if (advance !== undefined && (typeof advance !== 'number' || !(advance >= 0))) {
    throw unprocessable('advance must be a number of milliseconds, 0 or more');
  }
  if (set === 'now') return machine;
  const to = typeof advance === 'number' ? now + advance : Date.parse(String(set));
  if (!(Math.abs(to) <= lastMoment)) {
    throw unprocessable(
      set === undefined ? 'advance is too far' : 'set must be an ISO time or now',
    );
  }
  return Math.floor(to);
}
