// Workflows in version 1 of the routes. Their steps have templates; the sandbox executes them like other workflows, with
// the members of the payload as variables.

import { isObject, type JsonObject } from '../../core/objects.ts';
import { isStepType, type StepType } from '../../service/schemas/vocabulary.ts';
import type { StepV1 } from '../../service/schemas/workflows-v1.ts';
import { anyPayload } from '../../service/workflow-defaults.ts';
import { registerWorkflows } from '../bridge/prepare.ts';
import { isCritical } from '../engine/skip-rules.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { changeEnvironment, findEnvironment } from '../store/environments.ts';
import { userId } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { nameAsIdentifier, slugify } from '../store/slugs.ts';
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
import { serializeTrigger } from './events.ts';
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
    identifier: unusedIdentifier(scope, nameAsIdentifier(scope, name)),
    name,
    description,
    tags,
    active,
    status: active ? 'ACTIVE' : 'INACTIVE',
    origin: 'novu-cloud-v1',
    severity: 'none',
    validatePayload: true,
    payloadSchema: anyPayload,
    payloadExample: null,
    preferences: toPreferences(scope, body),
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
    preferences: toPreferences(scope, body),
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
function toPreferences(
  { dialect }: Scope,
  { critical = false, preferenceSettings }: Call<'updateWorkflowV1'>['body'],
): StoredWorkflow['preferences'] {
  if (!preferenceSettings && !critical) return preferencesFrom(null, dialect);
  const channels = Object.fromEntries(
    Object.entries(preferenceSettings ?? {}).map(([name, enabled]) => [name, { enabled }]),
  );
  return preferencesFrom(
    { user: { all: { enabled: true, readOnly: critical }, channels } },
    dialect,
  );
}

function toDefinition(scope: Scope, step: StepV1, index: number): StepDefinition {
  const type = step.template?.type ?? '';
  if (!isStepType(type)) throw badRequest(`The step ${index + 1} has an unknown type`);
  const stepId = step.uuid ?? `${slugify(type)}-${index + 1}`;
  return {
    id: step._id ?? scope.ids.objectId(),
    stepId,
    name: step.name ?? stepId,
    type,
    active: step.active ?? true,
    ...(step.shouldStopOnFail ? { shouldStopOnFail: true } : {}),
    controlValues: templateControls(type, step),
  };
}

export function serializeWorkflowV1(
  { environmentId, organizationId }: Scope,
  workflow: StoredWorkflow,
) {
  const { id, name, description, active, tags, older, createdAt, updatedAt } = workflow;
  const olderSteps = older?.steps ?? [];
  return {
    _id: id,
    name,
    description,
    active,
    draft: !active,
    tags,
    origin: workflow.origin,
    critical: isCritical(workflow),
    _creatorId: userId,
    _environmentId: environmentId,
    _organizationId: organizationId,
    ...(older?.groupId === undefined ? {} : { _notificationGroupId: older.groupId }),
    ...(older?.data === undefined ? {} : { data: older.data }),
    steps: workflow.steps.map((step, index) => ({
      ...olderSteps[index],
      _id: step.id,
      _templateId: step.id,
      uuid: step.stepId,
      name: step.name,
      active: step.active,
      shouldStopOnFail: step.shouldStopOnFail ?? false,
      template: { type: step.type, ...olderSteps[index]?.template },
    })),
    triggers: [serializeTrigger(workflow)],
    deleted: false,
    createdAt,
    updatedAt,
  };
}

// Synchronizes the workflows that code of an application defines. They were read from its endpoint before.

/** Removes the workflows that the code does not define any more. */
export const syncBridge: Handler<'syncBridge'> = ({ body: { bridgeUrl }, prepared, scope }) => {
  const registered = registerWorkflows(scope, prepared?.workflows ?? [], true);
  const environment = findEnvironment(scope.sql, scope.environmentId);
  if (environment && bridgeUrl !== undefined)
    changeEnvironment(scope, environment, { bridge: { url: bridgeUrl } });
  return registered.map((workflow) => serializeWorkflowV1(scope, workflow));
};

export const diffBridge: Handler<'diffBridge'> = ({ body, scope }) => {
  const url = findEnvironment(scope.sql, scope.environmentId)?.bridge?.url;
  if (typeof url !== 'string') throw badRequest('Bridge URL not found');
  const workflows = allWorkflows(scope).filter(({ origin }) => origin === 'external');
  const current = workflows.map(({ discovered }) => discovered);
  return { current: { workflows: current, bridgeUrl: url }, new: body };
};

export const validateBridge: Handler<'validateBridge'> = ({ prepared }) =>
  prepared?.health ?? { isValid: false };

// The control values of a step that has a template of version 1 of the routes.

export function templateControls(type: StepType, { template, metadata = {} }: StepV1): JsonObject {
  const { content, subject, title, preheader, cta } = (template ?? {}) as JsonObject;
  switch (type) {
    case 'email':
      return withoutAbsent({ subject, body: toHtml(content), preheader });
    case 'in_app':
      return withoutAbsent({ subject: title, body: content, redirect: toRedirect(cta) });
    case 'push':
      return withoutAbsent({ subject: title, body: content });
    case 'sms':
    case 'chat':
      return withoutAbsent({ body: content });
    default:
      return timing(metadata);
  }
}

/** E-mails of the older editor are lists of blocks. */
function toHtml(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content
    .filter(isObject)
    .map(({ type, content: text, url }) =>
      type === 'button' ? `<a href="${url}">${text}</a>` : `<div>${text}</div>`,
    )
    .join('');
}

function toRedirect(cta: unknown): object | undefined {
  const url = isObject(cta) && isObject(cta.data) ? cta.data.url : undefined;
  return typeof url === 'string' && url !== '' ? { url, target: '_self' } : undefined;
}

/** A digest or a delay. */
function timing(metadata: JsonObject): JsonObject {
  const { type = 'regular', amount, unit, digestKey, delayPath, timed } = metadata;
  return withoutAbsent({ type, amount, unit, digestKey, delayPath, timed });
}

const withoutAbsent = (controls: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(controls).filter(([, value]) => value !== undefined));
