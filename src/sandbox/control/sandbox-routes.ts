// Control routes of the sandbox itself: status, stop, reset and links to its page.

import type { z } from 'zod';
import { isoTime } from '../../core/durations.ts';
import { SvcError } from '../../core/errors.ts';
import { pathText } from '../../core/text.ts';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import { isSupportedTime } from '../../service/time.ts';
import { conflict, generalError, notFound, unprocessable } from '../http/http-error.ts';
import { exportState } from '../state/export-state.ts';
import type { SandboxState } from '../state/schema.ts';
import { seedState } from '../state/seed-state.ts';
import {
  checkSkipModes,
  checkStateVersion,
  findValidationErrors,
} from '../state/validation-errors.ts';
import { timeRangeText, toIso } from '../store/clock.ts';
import type { Behavior } from '../store/dialect.ts';
import {
  findEnvironment,
  listStoredEnvironments,
  removeEnvironment,
} from '../store/environments.ts';
import { firstDueJob } from '../store/jobs.ts';
import type { CopyTarget, Store } from '../store/scope.ts';
import type { Sql } from '../store/sql.ts';
import type { ClockMove, ClockState } from './client.ts';
import { type FaultSettings, faultSettings } from './fault-settings.ts';
import {
  bodyLimit,
  type ControlOptions,
  type ControlRoute,
  issueText,
  parse,
  withQuery,
} from './route.ts';
import {
  type CopiedEnvironment,
  clockBody,
  exportQuery,
  type PageLink,
  resetBody,
  type SandboxStatus,
} from './schemas.ts';

export const statusRoutes = ({
  store,
  startedAt,
  isEnveloped,
  pid,
  processStart,
  onStop,
  page,
  faults,
  rejectedTriggers,
  notEmulated,
  requestLog,
  bridgeProblem = () => undefined,
}: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/status',
    description: {
      id: 'getStatus',
      summary: 'Show the mode and the record counts of the sandbox',
      response: 'Status',
    },
    handle(): SandboxStatus {
      const problem = bridgeProblem();
      return {
        name: 'svc-sandbox',
        ...(pid === undefined ? {} : { pid }),
        ...(processStart === undefined ? {} : { processStart }),
        startedAt,
        storage: store.storage,
        seed: store.seedFingerprint,
        compat: store.dialect.mode,
        service: store.dialect.service,
        envelope: isEnveloped(),
        page: page?.baseUrl ?? null,
        ...countRows(store.sql),
        ...pendingJobs(store.sql),
        notEmulated: notEmulated.list(),
        ...(problem === undefined ? {} : { bridgeProblem: problem }),
      };
    },
  },
  {
    method: 'POST',
    path: '/stop',
    description: {
      id: 'stopSandbox',
      summary: 'Stop the sandbox after its open requests have finished',
      response: 'Stopped',
    },
    handle() {
      onStop?.();
      return { stopping: onStop !== undefined };
    },
  },
  {
    method: 'POST',
    path: '/reset',
    description: {
      id: 'resetSandbox',
      summary:
        'Restore the initial data, clock and faults; the API keys are kept. With the key of a copied environment, restore only its data and faults',
      body: 'ResetRequest',
      isBodyOptional: true,
      response: 'Reset',
      errors: [422],
    },
    async handle({ environmentId, body }) {
      const { compat: mode, service } = parse(resetBody, await body(bodyLimit));
      const copy = findCopy(store, environmentId);
      if (copy) {
        if (mode !== undefined || service !== undefined)
          throw unprocessable('compat and service cannot change for one environment');
        store.fillCopy(copy);
        faults.of(environmentId).reset();
        rejectedTriggers.clear(environmentId);
        requestLog.clear(environmentId);
        return { reset: true };
      }
      resetStore(store, { mode, service });
      faults.of(environmentId).reset();
      rejectedTriggers.clear();
      notEmulated.clear();
      requestLog.clear();
      return { reset: true };
    },
  },
  {
    method: 'POST',
    path: '/page',
    description: {
      id: 'createPageLink',
      summary: 'Create a link that opens the page in a browser once',
      response: 'PageLink',
      errors: [409],
    },
    handle({ scope }): PageLink {
      if (!page)
        throw conflict('The sandbox has no page, because it does not listen on loopback only');
      const link = page.sessions.createLink(scope().environmentId);
      return { url: `${page.baseUrl}/page/open?link=${link}` };
    },
  },
];

/** The mode of the specification does not have every version. */
function resetStore(store: Store, behavior: Behavior): void {
  try {
    store.reset(behavior);
  } catch (error) {
    throw toUnprocessable(error);
  }
}

const toUnprocessable = (error: unknown): unknown =>
  error instanceof SvcError
    ? unprocessable([error.message, error.details.hint].filter(Boolean).join(' '))
    : error;

const pendingJobs = (sql: Sql) => {
  const next = firstDueJob(sql);
  return {
    pendingJobs: sql.count('due_jobs'),
    nextJobAt: next === undefined ? null : toIso(next.due_at),
  };
};

const countRows = (sql: Sql) => ({
  environments: sql.count('environments'),
  subscribers: sql.count('subscribers'),
  topics: sql.count('topics'),
  workflows: sql.count('workflows'),
  events: sql.count('events'),
});

// Control routes of the clock: show it and move it.

const clockPath = '/clock';

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
      path: clockPath,
      description: { id: 'getClock', summary: 'Show the time in the sandbox', response: 'Clock' },
      handle: clockState,
    },
    {
      method: 'POST',
      path: clockPath,
      description: {
        id: 'moveClock',
        summary: 'Move the clock and run the jobs that come due before the response',
        body: 'ClockRequest',
        response: 'ClockMove',
        errors: [422],
      },
      async handle({ body }): Promise<ClockMove> {
        const requested = parse(clockBody, await body(bodyLimit));
        await scheduler.settled();
        const from = clock.now();
        const to = requestedTime(requested, from, from - clock.offset());
        const jobsRun = await scheduler.advanceTo(from, to);
        return { ...clockState(), jobsRun, movedMs: to - from };
      },
    },
  ];
}

/** Returns milliseconds since the epoch. */
function requestedTime(
  { advance, set }: z.output<typeof clockBody>,
  now: number,
  machineNow: number,
): number {
  if (set === 'now') return machineNow;
  const to = advance === undefined ? isoTime(set ?? '') : now + advance;
  if (to === undefined) throw unprocessable(`set must be now or an ISO time ${timeRangeText}`);
  if (!isSupportedTime(to)) throw unprocessable(`the clock can show times ${timeRangeText}`);
  return Math.floor(to);
}

// Control routes of copied environments: each has the initial data of Development, so that tests can run at the same time.

export const environmentRoutes = ({
  store,
  rejectedTriggers,
  requestLog,
}: ControlOptions): ControlRoute[] => [
  {
    method: 'POST',
    path: '/environments',
    description: {
      id: 'createEnvironment',
      summary: 'Create an environment with its own key and a copy of the seed data of Development',
      response: 'CopiedEnvironment',
    },
    handle(): CopiedEnvironment {
      const names = new Set(listStoredEnvironments(store.sql).map(({ name }) => name));
      let number = 1;
      while (names.has(`Test ${number}`)) number += 1;
      const { ids } = store;
      const id = ids.objectId();
      const name = `Test ${number}`;
      store.fillCopy({ id, name, identifier: ids.apiKey().slice(0, 12) });
      const created = findEnvironment(store.sql, id);
      const { identifier: applicationIdentifier = '', keys: [first] = [] } = created ?? {};
      return { environmentId: id, name, key: first?.key ?? '', applicationIdentifier };
    },
  },
  {
    method: 'DELETE',
    path: '/environments/{id}',
    description: {
      id: 'removeEnvironment',
      summary: 'Delete an environment that was created as a copy, with its key and its data',
      response: 'Removed',
      errors: [404],
    },
    handle({ parameter }) {
      const id = parameter('id');
      if (!findCopy(store, id)) throw notFound(`No environment was copied with id ${id}`);
      removeEnvironment(store.sql, id);
      rejectedTriggers.clear(id);
      requestLog.clear(id);
      return { removed: true };
    },
  },
];

/** Undefined for an environment that is not a copy. */
function findCopy({ sql }: Store, environmentId: string): CopyTarget | undefined {
  const environment = findEnvironment(sql, environmentId);
  return environment?.isCopy ? environment : undefined;
}

// Control routes of the state: export it, or replace it with the given one.

const stateLimit = 64 * 1024 * 1024;

export const stateRoutes = ({
  store,
  rejectedTriggers,
  requestLog,
}: ControlOptions): ControlRoute[] => [
  withQuery(exportQuery, {
    method: 'GET',
    path: '/export',
    description: {
      id: 'exportState',
      summary: 'Export the state; credentials are masked unless reveal is true',
      response: 'State',
    },
    handle: ({ query: { reveal } }) => exportState(store, reveal === 'true'),
  }),
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
    checkStateVersion(state, store.dialect.service);
    store.replace(() => seedState(store, state));
  } catch (error) {
    throw toUnprocessable(error);
  }
}

// Control routes of fault injection: show, set and clear faults.

const faultsPath = '/faults';
const members = Object.keys(faultSettings.shape).join(', ');

export const faultRoutes = ({ faults }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: faultsPath,
    description: { id: 'getFaults', summary: 'Show the injected faults', response: 'Faults' },
    handle: ({ environmentId }) => faults.of(environmentId).settings(),
  },
  {
    method: 'POST',
    path: faultsPath,
    description: {
      id: 'setFaults',
      summary:
        'Inject faults of requests, or of deliveries by a channel or provider; omitted members keep their values',
      body: 'FaultRequest',
      response: 'Faults',
      errors: [422],
    },
    async handle({ environmentId, body }) {
      const settings = await body(bodyLimit);
      const problems = faultProblems(settings);
      if (problems.length > 0) throw unprocessable(problems.join('; '));
      const plan = faults.of(environmentId);
      plan.set(settings as FaultSettings);
      return plan.settings();
    },
  },
  {
    method: 'DELETE',
    path: faultsPath,
    description: { id: 'clearFaults', summary: 'Remove all faults', response: 'Faults' },
    handle({ environmentId }) {
      const plan = faults.of(environmentId);
      plan.clear();
      return plan.settings();
    },
  },
];

/** The mistakes in the settings of faults. */
export const faultProblems = (settings: unknown): string[] =>
  faultSettings.safeParse(settings, withPlainMessages).error?.issues.map(errorText) ?? [];

const errorText = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `Unknown member: ${issue.keys.join(', ')}. The members are: ${members}.`
    : issueText(issue);
