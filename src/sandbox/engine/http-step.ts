// A step that sends a request: the engine renders it and waits for the response as for the endpoint of an application.

import { errorMessage } from '../../core/errors.ts';
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { addressProblem } from '../../service/bridge-errors.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { isCondition } from '../../service/mode.ts';
import { schemaErrors } from '../../service/payload-schema.ts';
import type { StoredJob } from '../store/jobs.ts';
import { cleanControls, renderControls } from '../templates/controls.ts';
import { collectProblems } from '../templates/liquid.ts';
import { isConditionMet } from './conditions.ts';
import { recordDetail, type Step } from './run.ts';
import { canceled, completed, failed, failedAndCanceled, type JobOutcome } from './step.ts';
import { readVariables } from './variables.ts';

export interface HttpStepRequest {
  environmentId: string;
  /** The event of the step. */
  transactionId: string;
  url: string;
  method: string;
  headers: Record<string, string>;
  /** Undefined for a method without a body. */
  body: unknown;
  timeoutMs: number;
}

/** `body` is the value of a JSON response, else its text. */
export type HttpStepResult =
  | { statusCode: number; body: unknown; headers: Record<string, string> }
  | { error: string };

/** Never rejects. */
export type SendHttpStep = (request: HttpStepRequest) => Promise<HttpStepResult>;

type HttpStepPlan = { controls: JsonObject } & (
  | { result: 'skipped' }
  | { result: 'failed'; error: string }
  | { result: 'request'; request: HttpStepRequest }
);

export const isHttpStep = ({ type }: Pick<StoredJob, 'type'>): boolean => type === 'http_request';

export function planHttpStep({ scope, run, job }: Step): HttpStepPlan {
  const { controlVariables: stored = {} } = job.step;
  const { skip, ...controls } = cleanControls(stored, 'http_request', true, scope.dialect);
  const variables = readVariables(scope, run);
  const now = Date.parse(scope.now);
  try {
    if (isCondition(skip) && isConditionMet(skip, variables, now) !== scope.dialect.isSkipToRun)
      return { result: 'skipped', controls };
  } catch (error) {
    return fails(controls, `Failed to evaluate rule: ${errorMessage(error)}`);
  }
  let rendered: JsonObject;
  try {
    rendered = renderControls(controls, variables, scope, collectProblems());
  } catch (error) {
    const message = errorMessage(error);
    return fails(controls, `HTTP request step template compilation failed: ${message}`);
  }
  const { url, method = 'POST', headers = [], body, timeout = 5_000 } = rendered;
  if (typeof url !== 'string' || url === '')
    return fails(
      controls,
      'HTTP request step is missing a URL. Please configure a URL in the step settings.',
    );
  const problem = addressProblem(url);
  if (problem !== undefined) return fails(controls, problem);
  try {
    const request = {
      environmentId: scope.environmentId,
      transactionId: run.notification.transactionId,
      url,
      method: String(method),
      headers: toRecord(headers),
      body: readHttpBody(body, method),
      timeoutMs: Number(timeout),
    };
    return { result: 'request', request, controls };
  } catch (error) {
    return fails(controls, `Invalid raw JSON body: ${errorMessage(error)}`);
  }
}

const fails = (controls: JsonObject, error: string): HttpStepPlan => ({
  result: 'failed',
  error,
  controls,
});

const methodsWithoutBody = ['GET', 'DELETE', 'HEAD', 'OPTIONS'];

/** Of the list of keys and values in the controls. */
const toRecord = (pairs: unknown): Record<string, string> =>
  Object.fromEntries(
    (Array.isArray(pairs) ? pairs : [])
      .map(asObject)
      .filter(({ key }) => key)
      .map(({ key, value }) => [String(key), String(value)]),
  );

/** Undefined for a method without a body. Throws for text that is not the JSON of an object or a list. */
export function readHttpBody(body: unknown, method: unknown): unknown {
  const value = readBody(body);
  return methodsWithoutBody.includes(String(method)) ? undefined : value;
}

function readBody(body: unknown): unknown {
  if (typeof body === 'string') {
    if (body.trim() === '') return undefined;
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value;
    throw new Error('Raw body must be a JSON object or array');
  }
  return Array.isArray(body) && body.length > 0 ? toRecord(body) : undefined;
}

/** Records what the step did. `result` is undefined for a step that sends nothing. */
export function finishHttpStep(step: Step, result: HttpStepResult | undefined): JobOutcome {
  const { scope, job } = step;
  const plan = planHttpStep(step);
  if (plan.result === 'skipped') {
    recordDetail(scope, job, 'Failed', detailTexts.skippedByRule, { skip: true });
    return canceled;
  }
  const { continueOnFailure, enforceSchemaValidation, responseBodySchema } = plan.controls;
  const fail = (detail: string, raw: string | object) => {
    recordDetail(scope, job, 'Failed', detail, raw);
    return continueOnFailure ? failed : failedAndCanceled;
  };
  if (plan.result === 'failed') return fail(detailTexts.httpRequestFailed, { error: plan.error });
  if (!result) throw new Error('the request was not sent');
  if ('error' in result) return fail(detailTexts.httpRequestFailed, result);
  const { body } = result;
  if (!isObject(body)) recordOtherResponse(step, plan.request.url, body);
  const errors =
    enforceSchemaValidation && isObject(responseBodySchema)
      ? responseErrors(responseBodySchema, body)
      : [];
  if (errors.length > 0)
    return fail(detailTexts.responseInvalid, shortened({ errors, responseBody: body }));
  job.output = asObject(body);
  recordDetail(scope, job, 'Success', detailTexts.stepProcessed, shortened(result));
  return completed;
}

/** At most one error: the first one, or that of the schema. */
function responseErrors(schema: JsonObject, body: unknown) {
  try {
    const [first] = schemaErrors(schema, body);
    return first ? [{ path: first.instancePath, message: first.message }] : [];
  } catch (error) {
    return [{ path: '', message: errorMessage(error) }];
  }
}

const maxRawLength = 10_240;
const ellipsis = '... [truncated]';

function shortened(raw: object): string {
  const text = JSON.stringify(raw);
  if (text.length <= maxRawLength) return text;
  return `${text.slice(0, maxRawLength - ellipsis.length)}${ellipsis}`;
}

function recordOtherResponse({ scope, job }: Step, url: string, body: unknown): void {
  const receivedType = Array.isArray(body) ? 'array' : typeof body;
  recordDetail(scope, job, 'Warning', detailTexts.responseNoObject, {
    message: `The endpoint at "${url}" returned a non-object response (type: ${receivedType}). Subsequent steps that reference this step's output may fail because the framework expects a JSON object. Configure the endpoint to return a JSON object to avoid this issue.`,
    url,
    receivedType,
  });
}
