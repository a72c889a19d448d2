// Reads from the endpoint of an application, before the handler of a request runs in a transaction: the workflows to
// synchronize, or those that an event names and the sandbox does not know.
import { asObject } from '../../core/objects.ts';
import type { OperationId } from '../../service/operations/index.ts';
import { anyPayload } from '../../service/workflow-defaults.ts';
import { badRequest, HttpError, unprocessable } from '../http/http-error.ts';
import type { Dialect } from '../store/dialect.ts';
import type { Scope, Store } from '../store/scope.ts';
import {
  allWorkflows,
  findWorkflow,
  insertWorkflow,
  removeWorkflow,
  type StepDefinition,
  type StoredWorkflow,
  saveWorkflow,
} from '../store/workflows.ts';
import { preferencesFrom } from '../templates/definition.ts';
import { payloadExample } from '../templates/payload-example.ts';
import type { Bridge, DiscoveredWorkflow } from './bridge.ts';
import { type BridgeErrorFields, BridgeRequestError } from './request.ts';

/** Passed to the handler. */
export interface Prepared {
  workflows?: readonly DiscoveredWorkflow[];
  /** Why endpoints that the request names cannot be used, by the position of the event. */
  problems?: ReadonlyMap<number, HttpError>;
  health?: { isValid: boolean; error?: string };
}

interface PrepareOptions {
  store: Store;
  bridge: Bridge;
  /** Called with the reason why the workflows of an endpoint are unknown, which no response says; undefined if known. */
  onBridgeProblem: (problem: string | undefined) => void;
}

/** Rejects with an HttpError. */
export async function prepare(
  { store, bridge, onBridgeProblem }: PrepareOptions,
  id: OperationId,
  environmentId: string,
  body: unknown,
): Promise<Prepared> {
  const { bridgeUrl } = asObject(body);
  const { dialect } = store;
  if (id === 'validateBridge')
    return { health: await checkHealth(bridge, environmentId, String(bridgeUrl), dialect) };
  if (id === 'updateEnvironment') {
    const { url } = asObject(asObject(body).bridge);
    if (!dialect.checksAddresses || !url || !bridge.isRefused(String(url))) return {};
    const text = 'bridge.url is blocked by the outbound SSRF policy.';
    return { problems: new Map([[0, badRequest(text)]]) };
  }
  const toError = (fields: BridgeErrorFields) => toHttpError(fields, dialect);
  if (id === 'syncBridge') {
    const url = typeof bridgeUrl === 'string' ? bridgeUrl : bridge.findUrl(environmentId);
    const workflows = await bridge
      .discover(environmentId, url ?? '')
      .catch((error: unknown) => throwAs(error, (fields) => badRequest(toError(fields).message)));
    onBridgeProblem(undefined);
    return { workflows };
  }
  const events = eventsIn(id, body);
  const url = bridge.findUrl(environmentId);
  if (url === undefined && events.every((event) => event.bridgeUrl === undefined)) return {};
  const responses = new Map<string, Promise<DiscoveredWorkflow[]>>();
  // Once for each address, because the events of a request can name it very often.
  const discover = (address: string) => {
    const response = responses.get(address) ?? bridge.discover(environmentId, address);
    responses.set(address, response);
    return response.catch((error: unknown) => throwAs(error, toError));
  };
  const problems = new Map<number, HttpError>();
  for (const [index, event] of events.entries())
    try {
      await findNamedWorkflow({ store, discover, onBridgeProblem }, { environmentId, url, event });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      problems.set(index, error);
    }
  return { problems };
}

/** The operations that may need the endpoint. */
export const preparedOperations: ReadonlySet<OperationId> = new Set<OperationId>([
  'syncBridge',
  'validateBridge',
  'updateEnvironment',
  'triggerEvent',
  'triggerEvents',
  'broadcastEvent',
]);

async function checkHealth(
  bridge: Bridge,
  environmentId: string,
  url: string,
  { checksAddresses }: Dialect,
) {
  try {
    const { status } = await bridge.checkHealth(environmentId, url);
    return { isValid: status === 'ok' };
  } catch (error) {
    if (!(error instanceof BridgeRequestError)) throw error;
    const { message, refusal = message } = error.fields;
    return { isValid: false, error: checksAddresses ? refusal : message };
  }
}

interface TriggeredEvent {
  name?: unknown;
  bridgeUrl?: unknown;
}

const eventsIn = (id: OperationId, body: unknown): TriggeredEvent[] => {
  if (id !== 'triggerEvents') return [asObject(body)];
  const { events } = asObject(body);
  return Array.isArray(events) ? events.map(asObject) : [];
};

/**
 * If the event names an endpoint, it is asked with each request. The endpoint of the environment is asked only for an
 * unknown workflow.
 */
async function findNamedWorkflow(
  {
    store,
    discover,
    onBridgeProblem,
  }: Omit<PrepareOptions, 'bridge'> & {
    discover: (address: string) => Promise<DiscoveredWorkflow[]>;
  },
  {
    environmentId,
    url,
    event: { name, bridgeUrl },
  }: { environmentId: string; url: string | undefined; event: TriggeredEvent },
): Promise<void> {
  if (typeof name !== 'string') return;
  const register = (workflows: readonly DiscoveredWorkflow[], isComplete: boolean) =>
    store.sql.transaction(() => {
      registerWorkflows(store.scope(environmentId), workflows, isComplete);
    });
  if (typeof bridgeUrl === 'string') {
    const workflows = await discover(bridgeUrl);
    const named = workflows.filter(({ workflowId }) => workflowId === name);
    if (named.length === 0) throw unprocessable('workflow_not_found');
    return register(named, false);
  }
  if (url === undefined || findWorkflow(store.scope(environmentId), 'identifier', name)) return;
  try {
    register(await discover(url), true);
    onBridgeProblem(undefined);
  } catch (error) {
    // Then the workflow stays unknown.
    if (!(error instanceof HttpError)) throw error;
    onBridgeProblem(error.message);
  }
}

function throwAs(error: unknown, convert: (fields: BridgeErrorFields) => HttpError): never {
  throw error instanceof BridgeRequestError ? convert(error.fields) : error;
}

/** Later versions refuse an address by its form; other errors have their code. */
function toHttpError(
  { statusCode, message, code, data, refusal }: BridgeErrorFields,
  { checksAddresses }: Dialect,
): HttpError {
  if (checksAddresses && refusal !== undefined) return badRequest(`bridgeUrl: ${refusal}`);
  return new HttpError(statusCode, message, { context: { code, ...(data ? { data } : {}) } });
}

// Stores the workflows that code of an application defines.

/**
 * Creates and updates workflows. Throws if one was not defined by code before. With `isComplete`, removes those that
 * code defined and does not define any more.
 */
export function registerWorkflows(
  scope: Scope,
  discovered: readonly DiscoveredWorkflow[],
  isComplete: boolean,
): StoredWorkflow[] {
  const existing = discovered.map(({ workflowId }) =>
    findWorkflow(scope, 'identifier', workflowId),
  );
  const foreign = existing.find((workflow) => workflow && workflow.origin !== 'external');
  if (foreign) {
    throw badRequest(
      `Workflow ${foreign.identifier} was already created in Dashboard. Please use another workflowId.`,
    );
  }
  const registered = discovered.map((workflow, index) => save(scope, workflow, existing[index]));
  if (isComplete) {
    const kept = new Set(registered.map(({ id }) => id));
    for (const { id, origin } of allWorkflows(scope))
      if (origin === 'external' && !kept.has(id)) removeWorkflow(scope, id);
  }
  return registered;
}

function save(
  scope: Scope,
  discovered: DiscoveredWorkflow,
  existing: StoredWorkflow | undefined,
): StoredWorkflow {
  const { workflowId, active = true, payload } = discovered;
  const payloadSchema = payload?.schema ?? anyPayload;
  const workflow: StoredWorkflow = {
    id: existing?.id ?? scope.ids.objectId(),
    identifier: workflowId,
    name: discovered.name || workflowId,
    description: discovered.description ?? '',
    tags: discovered.tags ?? [],
    active,
    status: active ? 'ACTIVE' : 'INACTIVE',
    origin: 'external',
    severity: discovered.severity ?? 'none',
    // The code checks the payload itself.
    validatePayload: false,
    payloadSchema,
    payloadExample: payloadExample(payloadSchema),
    preferences: preferencesFrom({ workflow: discovered.preferences }, scope.dialect),
    steps: discovered.steps.map((step) => toStep(scope, step, existing)),
    discovered,
    createdAt: existing?.createdAt ?? scope.now,
    updatedAt: scope.now,
    lastTriggeredAt: existing?.lastTriggeredAt ?? null,
  };
  if (existing) saveWorkflow(scope, workflow);
  else insertWorkflow(scope, workflow);
  return workflow;
}

/** A step keeps its id and its control values. */
function toStep(
  scope: Scope,
  { stepId, type, controls, options }: DiscoveredWorkflow['steps'][number],
  workflow: StoredWorkflow | undefined,
): StepDefinition {
  const existing = workflow?.steps.find((step) => step.stepId === stepId && step.type === type);
  return {
    id: existing?.id ?? scope.ids.objectId(),
    stepId,
    name: stepId,
    type,
    active: true,
    controlValues: existing?.controlValues ?? {},
    ...(controls?.schema ? { controlSchema: controls.schema } : {}),
    ...(options?.failOnErrorEnabled ? { shouldStopOnFail: true } : {}),
  };
}
