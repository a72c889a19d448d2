// Control routes of the sandbox itself: status, stop, reset and links to its page.
import { isObject } from '../../core/objects.ts';
import { modes } from '../../service/mode.ts';
import type { PageLink, SandboxStatus } from '../control-client/schemas.ts';
import { firstDueJob } from '../store/due-jobs.ts';
import type { Sql } from '../store/sql.ts';
import { conflict, unprocessable } from '../values/http-error.ts';
import { toIso } from '../values/time-range.ts';
import { findCopy } from './environment-routes.ts';
import { bodyLimit, type ControlOptions, type ControlRoute } from './route.ts';

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
      const requested = await body(bodyLimit);
      const compat = isObject(requested) ? requested.compat : undefined;
      // Earlier versions called the mode of the specification `none`.
      const mode = modes.find((known) => known === (compat === 'none' ? 'specification' : compat));
      if (compat !== undefined && mode === undefined)
        throw unprocessable(`compat must be ${modes.join(' or ')}`);
      const copy = findCopy(store, environmentId);
      if (copy) {
        if (mode !== undefined) throw unprocessable('compat cannot change for one environment');
        store.fillCopy(copy);
        faults.of(environmentId).reset();
        requestLog.clear(environmentId);
        return { reset: true };
      }
      store.reset(mode);
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

const pendingJobs = (sql: Sql) => {
  const next = firstDueJob(sql);
  return {
    pendingJobs: sql.get<{ count: number }>('SELECT count(*) AS count FROM due_jobs')?.count ?? 0,
    nextJobAt: next === undefined ? null : toIso(next.due_at),
  };
};

const countRows = (sql: Sql) => {
  const count = (table: string) =>
    sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0;
  return {
    environments: count('environments'),
    subscribers: count('subscribers'),
    topics: count('topics'),
    workflows: count('workflows'),
    events: count('events'),
  };
};
