// Control routes of the state: export it, or replace it with the given one.
import { SvcError } from '../../core/errors.ts';
import { pathText } from '../../core/text.ts';
import { exportQuery } from '../control-client/schemas.ts';
import { exportState } from '../state/export-state.ts';
import type { SandboxState } from '../state/schema.ts';
import { seedState } from '../state/seed-state.ts';
import { checkSkipModes } from '../state/skip-modes.ts';
import { findValidationErrors } from '../state/validation-errors.ts';
import type { Store } from '../store/scope.ts';
import { generalError, unprocessable } from '../values/http-error.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

const stateLimit = 64 * 1024 * 1024;

export const stateRoutes = ({
  store,
  rejectedTriggers,
  requestLog,
}: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/export',
    description: {
      id: 'exportState',
      summary: 'Export the state; credentials are masked unless reveal is true',
      query: exportQuery,
      response: 'State',
    },
    handle: ({ query }) => exportState(store, query('reveal') === 'true'),
  },
  {
    method: 'POST',
    path: '/seed',
    description: {
      id: 'seedState',
      summary: 'Replace all data with a state; the API keys are kept',
      body: 'State',
      response: 'Seeded',
      errors: [413, 422],
    },
    async handle({ body }) {
      const value = await body(stateLimit);
      const messages = findValidationErrors(value).map(({ path, message }) =>
        [pathText(path), message].filter(Boolean).join(' '),
      );
      if (messages.length > 0) throw generalError(messages, 'Not a valid sandbox state');
      const state = value as SandboxState;
      replaceState(store, state);
      rejectedTriggers.clear();
      requestLog.clear();
      return { seeded: true, environments: state.environments.length };
    },
  },
];

/** An event of the state that is not processed makes the state invalid. */
function replaceState(store: Store, state: SandboxState): void {
  try {
    checkSkipModes(state, store.dialect);
    store.replace(() => seedState(store, state));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw unprocessable([error.message, error.details.hint].filter(Boolean).join(' '));
  }
}
