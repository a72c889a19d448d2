// Checks of a workflow before it is sent: what the service answers with an internal error or stores in another form than
// it was sent, and its limits. A write that fails halfway is worse than one that is not sent.
import { limits } from '../service/limits.ts';
import { identifierForm, identifierPattern } from '../service/rules/formats.ts';
import { isJsonDocument } from './content-files.ts';
import type { NormalStep, NormalWorkflow } from './normal-form.ts';

/** Returns the reasons why the service would not store the workflow as it is. */
export function findWorkflowErrors({ name, description, tags, steps }: NormalWorkflow): string[] {
  return [
    ...findNameErrors(name),
    ...(description.length > limits.workflowDescription
      ? [`description is longer than ${limits.workflowDescription} characters`]
      : []),
    ...(tags.length > limits.tagsPerWorkflow
      ? [`it has more than ${limits.tagsPerWorkflow} tags`]
      : []),
    ...(new Set(tags).size < tags.length ? ['a tag occurs twice'] : []),
    ...(tags.some((tag) => tag.trim() === '' || tag.length > limits.workflowName)
      ? [`a tag is empty or longer than ${limits.workflowName} characters`]
      : []),
    ...(steps.length > limits.stepsPerWorkflow
      ? [`it has more than ${limits.stepsPerWorkflow} steps`]
      : []),
    ...steps.flatMap((step) =>
      findStepErrors(step).map((message) => `step ${step.stepId}: ${message}`),
    ),
  ];
}

function findStepErrors({ stepId, name, type, controlValues }: NormalStep): string[] {
  const { cron, body, editorType } = controlValues;
  const isEmail = type === 'email' && typeof body === 'string' && body !== '';
  return [
    ...(identifierPattern.test(stepId) ? [] : [`stepId ${identifierForm}`]),
    ...findNameErrors(name),
    ...(type === 'trigger' ? ['the service cannot store steps of type trigger'] : []),
    ...(typeof cron === 'string' && cron !== '' && !isCron(cron)
      ? [`\`${cron}\` is not a cron expression`]
      : []),
    ...(isEmail && editorType === 'block' && !isJsonDocument(body)
      ? ['body must be a block document (JSON), because editorType is block']
      : []),
    ...(isEmail && editorType === 'html' && isJsonDocument(body)
      ? ['body is a block document (JSON), but editorType is html']
      : []),
  ];
}

function findNameErrors(name: string): string[] {
  if (name.trim() === '') return ['name is empty'];
  return name.length > limits.workflowName
    ? [`name is longer than ${limits.workflowName} characters`]
    : [];
}

/** Five or six fields of digits, names and operators. The service checks the values. */
const isCron = (text: string) => /^[\dA-Za-z*?,/#-]+(\s+[\dA-Za-z*?,/#-]+){4,5}$/.test(text.trim());
