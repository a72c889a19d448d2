// Workflows in version 1 of the routes. Their steps have templates; the sandbox executes them like other workflows, with
// the members of the payload as variables.

import { isStepType } from '../../service/schemas/vocabulary.ts';
import type { StepV1 } from '../../service/schemas/workflows-v1.ts';
import { anyPayload } from '../../service/workflow-defaults.ts';
import { preferencesFrom } from '../definitions/preferences.ts';
import { templateControls } from '../definitions/template-controls.ts';
import { isCritical } from '../engine/channel-preferences.ts';
import { serializeTrigger } from '../serializers/activity.ts';
import type { Scope } from '../store/scope.ts';
import {
  allWorkflows,
  findWorkflow,
  insertWorkflow,
  removeWorkflow,
  type StepDefinition,
  type StoredWorkflow,
  saveWorkflow,
} from '../store/workflows.ts';
import { userId } from '../values/fixed-ids.ts';
import { badRequest, notFound } from '../values/http-error.ts';
import { slugify } from '../values/slugs.ts';
import type { Call, Handler } from './handler.ts';
import { requireWorkflow, unusedIdentifier } from './workflows.ts';

/** The service leaves out the workflows of the current editor. */
export const listWorkflowsV1: Handler<'listWorkflowsV1'> = ({
  query: { page = 0, limit = 10, query = '' },
  scope,
}) => {
  const text = query.toLowerCase();
  const matching = allWorkflows(scope).filter(
    ({ origin, name, identifier }) =>
      origin !== 'novu-cloud' && `${name}\n${identifier}`.toLowerCase().includes(text),
  );
  const data = matching
    .toReversed()
    .slice(page * limit, (page + 1) * limit)
    .map((workflow) => serializeWorkflowV1(scope, workflow));
  return { page, data, totalCount: matching.length, pageSize: limit };
};

export const getWorkflowV1: Handler<'getWorkflowV1'> = ({ path: { workflowId }, scope }) =>
  serializeWorkflowV1(scope, requireWorkflow(scope, workflowId));

export const createWorkflowV1: Handler<'createWorkflowV1'> = ({ body, scope }) => {
  const { name, active = false, tags = [], description = '', steps } = body;
  const workflow: StoredWorkflow = {
    id: scope.ids.objectId(),
    identifier: unusedIdentifier(scope, slugify(name)),
    ...{ name, description, tags, active },
    status: active ? 'ACTIVE' : 'INACTIVE',
    origin: 'novu-cloud-v1',
    severity: 'none',
    validatePayload: true,
    payloadSchema: anyPayload,
    payloadExample: null,
    preferences: toPreferences(body),
    steps: steps.map((step, index) => toDefinition(scope, step, index)),
    older: { groupId: body.notificationGroupId, steps, data: body.data },
    createdAt: scope.now,
    updatedAt: scope.now,
    lastTriggeredAt: null,
  };
  insertWorkflow(scope, workflow);
  return serializeWorkflowV1(scope, workflow);
};

export const updateWorkflowV1: Handler<'updateWorkflowV1'> = ({
  path: { workflowId },
  body,
  scope,
}) => {
  const current = requireWorkflow(scope, workflowId);
  const { name, identifier, tags, description, steps, notificationGroupId, data } = body;
  const other = identifier ? findWorkflow(scope, 'identifier', identifier) : undefined;
  if (other && other.id !== current.id)
    throw badRequest(`Workflow with identifier ${identifier} already exists`);
  const { older } = current;
  saveWorkflow(scope, {
    ...current,
    name: name || current.name,
    identifier: identifier || current.identifier,
    tags: tags ?? current.tags,
    description: description ?? current.description,
    steps: steps?.map((step, index) => toDefinition(scope, step, index)) ?? current.steps,
    preferences: toPreferences(body),
    older: {
      groupId: notificationGroupId ?? older?.groupId,
      steps: steps ?? older?.steps,
      data: data ?? older?.data,
    },
  });
  return serializeWorkflowV1(scope, requireWorkflow(scope, current.id));
};

export const setWorkflowStatus: Handler<'setWorkflowStatus'> = ({
  path: { workflowId },
  body: { active },
  scope,
}) => {
  const current = findWorkflow(scope, 'id', workflowId);
  if (!current) throw notFound(`Template with id ${workflowId} not found`);
  if (current.active === active)
    throw badRequest('You must provide a different status from the current status');
  saveWorkflow(scope, { ...current, active, status: active ? 'ACTIVE' : 'INACTIVE' });
  return serializeWorkflowV1(scope, requireWorkflow(scope, workflowId));
};

export const deleteWorkflowV1: Handler<'deleteWorkflowV1'> = ({ path: { workflowId }, scope }) => {
  removeWorkflow(scope, requireWorkflow(scope, workflowId).id);
  return true;
};

/** A critical workflow ignores the preferences of subscribers. */
function toPreferences({
  critical = false,
  preferenceSettings,
}: Call<'updateWorkflowV1'>['body']): StoredWorkflow['preferences'] {
  if (!preferenceSettings && !critical) return preferencesFrom(null);
  const channels = Object.fromEntries(
    Object.entries(preferenceSettings ?? {}).map(([name, enabled]) => [name, { enabled }]),
  );
  return preferencesFrom({ user: { all: { enabled: true, readOnly: critical }, channels } });
}

function toDefinition(scope: Scope, step: StepV1, index: number): StepDefinition {
  const type = step.template?.type ?? '';
  if (!isStepType(type)) throw badRequest(`The step ${index + 1} has an unknown type`);
  const stepId = step.uuid ?? `${slugify(type)}-${index + 1}`;
  return {
    id: step._id ?? scope.ids.objectId(),
    ...{ stepId, name: step.name ?? stepId, type, active: step.active ?? true },
    ...(step.shouldStopOnFail ? { shouldStopOnFail: true } : {}),
    controlValues: templateControls(type, step),
  };
}

export function serializeWorkflowV1(
  { environmentId, organizationId }: Scope,
  workflow: StoredWorkflow,
) {
  const { id, name, description, active, tags, older, createdAt, updatedAt } = workflow;
  const given = older?.steps ?? [];
  return {
    ...{ _id: id, name, description, active, draft: !active, tags, origin: workflow.origin },
    ...{ critical: isCritical(workflow), _creatorId: userId },
    ...{ _environmentId: environmentId, _organizationId: organizationId },
    ...(older?.groupId === undefined ? {} : { _notificationGroupId: older.groupId }),
    ...(older?.data === undefined ? {} : { data: older.data }),
    steps: workflow.steps.map((step, index) => ({
      ...given[index],
      ...{ _id: step.id, _templateId: step.id, uuid: step.stepId, name: step.name },
      ...{ active: step.active, shouldStopOnFail: step.shouldStopOnFail ?? false },
      template: { type: step.type, ...given[index]?.template },
    })),
    triggers: [serializeTrigger(workflow)],
    ...{ deleted: false, createdAt, updatedAt },
  };
}
