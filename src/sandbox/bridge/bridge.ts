// The endpoint of an application that defines workflows by code: the sandbox discovers them, and sends it the steps.

import { z } from 'zod';
import { errorMessage } from '../../core/errors.ts';
import { jsonObject } from '../../service/schemas/values.ts';
import { severities, stepTypes } from '../../service/schemas/vocabulary.ts';
import type { PreviewStep, StepRequest } from '../engine/bridge-step.ts';
import type { StepResult } from '../engine/step.ts';
import { findEnvironment } from '../store/environments.ts';
import type { Clock } from '../store/ids.ts';
import type { Store } from '../store/scope.ts';
import {
  type BridgeRequest,
  BridgeRequestError,
  bridgeError,
  callEndpoint,
  refusalOf,
} from './request.ts';

interface BridgeOptions {
  store: Store;
  /** The clock of the machine. */
  clock: Clock;
  /** The endpoint of the Development environment until another one is synchronized. */
  url?: string | undefined;
  /** Origins on other machines. */
  allowedOrigins?: readonly string[] | undefined;
}

export interface Bridge {
  /** The endpoint of an environment; undefined if it has none. */
  findUrl(environmentId: string): string | undefined;
  /** Whether later versions refuse to store the address. */
  isRefused(url: string): boolean;
  /** Rejects with a BridgeRequestError. */
  discover(environmentId: string, url: string): Promise<DiscoveredWorkflow[]>;
  /** Rejects with a BridgeRequestError. */
  checkHealth(environmentId: string, url: string): Promise<Record<string, unknown>>;
  /** Never rejects. */
  executeStep(request: StepRequest): Promise<StepResult>;
  previewStep: PreviewStep;
}

export function createBridge({ store, clock, url, allowedOrigins = [] }: BridgeOptions): Bridge {
  const call = (
    environmentId: string,
    request: Pick<BridgeRequest, 'url' | 'query' | 'body'>,
  ): Promise<Record<string, unknown>> => {
    const key = findEnvironment(store.sql, environmentId)?.keys[0]?.key ?? '';
    return callEndpoint({ ...request, key, now: clock.now(), allowedOrigins });
  };

  const findUrl = (environmentId: string) => {
    const stored = findEnvironment(store.sql, environmentId)?.bridge?.url;
    if (typeof stored === 'string') return stored;
    return environmentId === store.environmentId ? url : undefined;
  };

  const run = async (
    action: Record<string, string>,
    { environmentId, url: eventUrl, workflowId, stepId, event }: Omit<StepRequest, 'jobId'>,
  ): Promise<StepResult> => {
    const address = eventUrl ?? findUrl(environmentId) ?? '';
    try {
      const query = { ...action, workflowId, stepId };
      const value = await call(environmentId, { url: address, query, body: event });
      const result = readExecution(value);
      if (result) return result;
      throw bridgeError('unreadable', address, { reason: 'it has no outputs' });
    } catch (error) {
      const fields =
        error instanceof BridgeRequestError
          ? error.fields
          : bridgeError('unknown', address, { reason: errorMessage(error) }).fields;
      return { problem: { data: null, ...fields, url: address } };
    }
  };

  return {
    findUrl,
    isRefused: (address) => refusalOf(address, allowedOrigins) !== undefined,
    async discover(environmentId, address) {
      const query = { action: 'discover' };
      const value = await call(environmentId, { url: address, query });
      try {
        return readDiscovery(value);
      } catch (error) {
        throw bridgeError('unreadable', address, { reason: errorMessage(error) });
      }
    },
    checkHealth: (environmentId, address) =>
      call(environmentId, { url: address, query: { action: 'health-check' } }),
    executeStep: ({ jobId, ...request }) => run({ action: 'execute', jobId }, request),
    previewStep: (request) => run({ action: 'preview' }, request),
  };
}

// Reads the workflows that the endpoint of an application defines.

const withSchema = z.looseObject({ schema: jsonObject.optional() }).optional();

const step = z.looseObject({
  stepId: z.string().min(1),
  type: z.enum(stepTypes),
  controls: withSchema,
  options: z.looseObject({ failOnErrorEnabled: z.boolean().optional() }).optional(),
});

const workflow = z.looseObject({
  workflowId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  severity: z.enum(severities).optional(),
  active: z.boolean().optional(),
  preferences: jsonObject.optional(),
  payload: withSchema,
  controls: withSchema,
  steps: z.array(step),
});

const discovery = z.looseObject({ workflows: z.array(workflow) });

export type DiscoveredWorkflow = z.output<typeof workflow>;

/** Throws an error that names the first problem. */
function readDiscovery(value: unknown): DiscoveredWorkflow[] {
  const read = discovery.safeParse(value);
  if (read.success) return read.data.workflows;
  const [issue] = read.error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}

const execution = z.looseObject({
  outputs: jsonObject,
  options: z.looseObject({ skip: z.boolean().optional() }).nullish(),
});

/** Undefined if the response has another form. */
function readExecution(value: unknown) {
  const read = execution.safeParse(value);
  if (!read.success) return undefined;
  return { outputs: read.data.outputs, isSkipped: read.data.options?.skip === true };
}
