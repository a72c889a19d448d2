// Control routes of the state: export it, or replace it with the given one.
import type { Hono } from 'hono';
import { SvcError } from '../../core/errors.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { authorize } from '../http/authorization.ts';
import { unprocessable } from '../http/http-error.ts';
import { readJson } from '../http/request-body.ts';
import { json } from '../http/responses.ts';
import { exportState } from '../state/export-state.ts';
import type { SandboxState } from '../state/schema.ts';
import { findValidationErrors, formatPath } from '../state/validation-errors.ts';
import type { Store } from '../store/scope.ts';

const bodyLimit = 64 * 1024 * 1024;

export function stateRoutes(
  app: Hono,
  { store, scheduler }: { store: Store; scheduler: Scheduler },
): void {
  app.get('/__sandbox/export', ({ req }) => {
    authorize(store.sql, req.raw.headers.get('authorization'));
    return json(200, exportState(store, req.query('reveal') === 'true'));
  });
  app.post('/__sandbox/seed', async ({ req }) => {
    authorize(store.sql, req.raw.headers.get('authorization'));
    const body = await readJson(req.raw, bodyLimit);
    const messages = findValidationErrors(body).map(({ path, message }) =>
      [formatPath(path), message].filter(Boolean).join(' '),
    );
    if (messages.length > 0) {
      throw unprocessable('Not a valid sandbox state', {
        members: { errors: { general: { messages, value: 'No Value Recorded' } } },
      });
    }
    const state = body as SandboxState;
    replaceState(store, state);
    scheduler.setTimer();
    return json(200, { seeded: true, environments: state.environments.length });
  });
}

/** An event of the state that is not processed makes the state invalid. */
function replaceState(store: Store, state: SandboxState): void {
  try {
    store.replace(state);
  } catch (error) {
    throw error instanceof SvcError ? unprocessable(error.message) : error;
  }
}
