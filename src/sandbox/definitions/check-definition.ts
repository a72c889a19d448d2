// The checks of the service on a workflow after the checks of its request: limits, with the path of each mistake.
import { asObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import {
  channelFields,
  definitionFields,
  detailFields,
  layoutFields,
} from '../../service/rules/definition-rules.ts';
import { type ErrorsByPath, findErrors, messagesByPath } from '../requests/find-errors.ts';
import { badRequest, checkFieldErrors } from '../values/http-error.ts';

interface Definition {
  name?: unknown;
  description?: unknown;
  tags?: unknown;
  steps?: unknown;
  preferences?: unknown;
}

/** Throws the mistakes of the name, the steps and the preferences. */
export function checkDefinition(workflow: Definition): void {
  if (!Array.isArray(workflow.steps)) throw badRequest('steps must be an array');
  checkFieldErrors(messagesByPath(findErrors(definitionFields, workflow), 'workflowDto.'));
}

/** Throws the mistakes that the service looks for later. */
export function checkDetails(workflow: Definition): void {
  const { user, workflow: own } = asObject(workflow.preferences);
  checkFieldErrors({
    ...messagesByPath(findErrors(detailFields, workflow)),
    ...channelErrors(user, 'userPreferences.'),
    ...channelErrors(own, 'defaultPreferences.'),
  });
}

/** Throws if the name of a layout is empty or too long. */
export const checkLayoutName = (name: unknown): void =>
  checkFieldErrors(messagesByPath(findErrors(layoutFields, { name }), 'layoutDto.'));

export function checkStepCount(count: number): void {
  if (count <= limits.stepsPerWorkflow) return;
  throw badRequest(
    `Workflow steps limit exceeded. Maximum allowed steps is ${limits.stepsPerWorkflow}, but got ${count} steps.`,
    { context: { providedStepsCount: count, maxSteps: limits.stepsPerWorkflow } },
  );
}

const channelErrors = (preferences: unknown, path: string): ErrorsByPath =>
  messagesByPath(findErrors(channelFields, preferences), path);
