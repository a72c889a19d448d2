// Writes the built-in seed data into an empty store: everything is in Development, Production is empty.
import { ensureContext } from '../store/contexts.ts';
import { saveCredentials } from '../store/credentials.ts';
import { insertEnvironment } from '../store/environments.ts';
import { findIntegration, saveIntegration } from '../store/integrations.ts';
import type { Store } from '../store/open.ts';
import { globalPreferenceKey, savePreference } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { insertSubscriber } from '../store/subscribers.ts';
import { ensureSubscription, insertTopic } from '../store/topics.ts';
import { findWorkflow, insertWorkflow } from '../store/workflows.ts';
import { developmentId, productionId, seedId } from './ids.ts';
import { seedRuns } from './inbox.ts';
import { seedIntegrations } from './integrations.ts';
import { seedHistory } from './seed-history.ts';
import { seedRun } from './seed-run.ts';
import { seedSubscribers } from './subscribers.ts';
import { seedContexts, seedTopics } from './topics-and-contexts.ts';
import { seedWorkflows } from './workflows/index.ts';

const seededAt = Date.UTC(2025, 0, 15, 9);
const minute = 60_000;

export function seedBuiltIn(store: Pick<Store, 'sql' | 'scope' | 'clock'>): void {
  const { scope: open, clock } = store;
  const scope = atTime(open(developmentId), seededAt);
  addEnvironments(scope);
  for (const [index, integration] of seedIntegrations.entries()) {
    const id = seedId(`integration:${integration.identifier}`);
    // The oldest integration becomes primary next, so each has a creation time of its own.
    const createdScope = atTime(scope, seededAt + index * minute);
    saveIntegration(createdScope, { id, environmentId: developmentId, ...integration });
  }
  addSubscribers(scope);
  for (const { key, name, subscribers } of seedTopics) {
    const { id } = insertTopic(scope, { key, name, id: seedId(`topic:${key}`) });
    for (const subscriberId of subscribers) {
      const subscription = seedId(`subscription:${key}:${subscriberId}`);
      ensureSubscription(scope, id, seedId(`subscriber:${subscriberId}`), subscription);
    }
  }
  for (const { type, id, data } of seedContexts) {
    ensureContext(scope, type, id, data, seedId(`context:${type}:${id}`));
  }
  for (const workflow of seedWorkflows) insertWorkflow(scope, workflow);
  seedHistory(store);
  for (const run of seedRuns) {
    const workflow = findWorkflow(scope, 'identifier', run.workflow);
    const pastScope = atTime(scope, clock.now() - run.minutesAgo * minute);
    if (workflow) seedRun(pastScope, run, workflow);
  }
}

const atTime = (scope: Scope, time: number): Scope => ({
  ...scope,
  now: new Date(time).toISOString(),
});

function addEnvironments(scope: Scope): void {
  insertEnvironment(scope, {
    id: developmentId,
    name: 'Development',
    identifier: 'sandbox-dev',
    type: 'dev',
    color: '#ff8547',
  });
  insertEnvironment(atTime(scope, seededAt + minute), {
    id: productionId,
    name: 'Production',
    identifier: 'sandbox-prod',
    type: 'prod',
    color: '#7e52f4',
    parentId: developmentId,
  });
}

function addSubscribers(scope: Scope): void {
  for (const subscriber of seedSubscribers) {
    const { subscriberId, profile, credentials = {}, schedule, channels } = subscriber;
    const id = insertSubscriber(scope, subscriberId, profile, seedId(`subscriber:${subscriberId}`));
    for (const [identifier, channelCredentials] of Object.entries(credentials)) {
      const integration = findIntegration(scope, seedId(`integration:${identifier}`));
      if (integration) saveCredentials(scope, id, integration, channelCredentials);
    }
    if (!schedule && !channels) continue;
    savePreference(scope, id, globalPreferenceKey, {
      channels: channels ?? {},
      ...(schedule ? { schedule } : {}),
    });
  }
}
