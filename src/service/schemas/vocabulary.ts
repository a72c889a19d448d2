// The enums of the service's API. This module does not load the schema library.

import { keysOf } from '../../core/objects.ts';

/** The channels of every version of the service. */
export const channelTypes = ['in_app', 'email', 'sms', 'chat', 'push'] as const;
const laterChannels = { tool: { since: '3.19' } } as const;
/** The channels of all versions, for requests and responses. */
export const allChannels = [...channelTypes, ...keysOf(laterChannels)] as const;
export type Channel = (typeof allChannels)[number];
/** Whether a step of this type sends a message. */
export const isChannel = (stepType: string): stepType is Channel =>
  (allChannels as readonly string[]).includes(stepType);
/** In the order of the service, which differs between its parts. */
export const channelOrders = {
  workflowPreferences: ['email', 'sms', 'in_app', 'chat', 'push'],
  workflowChecks: ['email', 'sms', 'in_app', 'push', 'chat'],
  subscriberOverrides: ['in_app', 'sms', 'email', 'push', 'chat', 'tool'],
} as const satisfies Record<string, readonly Channel[]>;
const channelsWithPrimary: readonly string[] = ['email', 'sms'];
/** Whether the channel delivers only through its primary integration. */
export const hasPrimary = (channel: string): boolean => channelsWithPrimary.includes(channel);
/** The field of a subscriber to which a channel delivers. */
export const addressFields = { sms: 'phone', email: 'email' } as const;
const channelsOfSecrets: readonly string[] = ['chat', 'push', 'tool'];
/** Whether the address of a recipient is a secret: a webhook address or a device token. */
export const isAddressSecret = (channel: string): boolean => channelsOfSecrets.includes(channel);

export const stepTypes = [
  ...channelTypes,
  'digest',
  'trigger',
  'delay',
  'throttle',
  'custom',
] as const;
const laterStepTypes = { http_request: { since: '3.15' }, ...laterChannels } as const;
/** The step types of all versions. A server can have others. */
export const allStepTypes = [...stepTypes, ...keysOf(laterStepTypes)] as const;
export type StepType = (typeof allStepTypes)[number];
export const isStepType = (type: string): type is StepType =>
  (stepTypes as readonly string[]).includes(type);
export const severities = ['high', 'medium', 'low', 'none'] as const;
export type Severity = (typeof severities)[number];
export const orderDirections = ['ASC', 'DESC'] as const;
export type OrderDirection = (typeof orderDirections)[number];

export const workflowStatuses = ['ACTIVE', 'INACTIVE', 'ERROR'] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];
/** Whether the service does not run the events of a workflow. */
export const isInactive = (workflow: {
  active?: boolean | undefined;
  status?: string | undefined;
}): boolean => workflow.active === false || workflow.status === 'INACTIVE';

export const workflowOrders = ['createdAt', 'updatedAt', 'name', 'lastTriggeredAt'] as const;
export type WorkflowOrder = (typeof workflowOrders)[number];
/** Origin of workflows that are edited in the service. */
export const editableOrigin = 'novu-cloud';
/** Where a workflow is defined. The service uses these values, including the brand name. */
export const workflowOrigins = [editableOrigin, 'novu-cloud-v1', 'external'] as const;
export type WorkflowOrigin = (typeof workflowOrigins)[number];

export const triggerStatuses = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'processed',
  'no_tenant_found',
  'invalid_recipients',
] as const;
export type TriggerStatus = (typeof triggerStatuses)[number];
export const executionStatuses = [
  'Success',
  'Warning',
  'Failed',
  'Pending',
  'Queued',
  'ReadConfirmation',
] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];
export const executionSources = ['Credentials', 'Internal', 'Payload', 'Webhook'] as const;
export const messageStatuses = ['sent', 'error', 'warning'] as const;
export type MessageStatus = (typeof messageStatuses)[number];
export const markStates = ['read', 'seen', 'unread', 'unseen'] as const;
export type MarkState = (typeof markStates)[number];
export const actorTypes = ['none', 'user', 'system_icon', 'system_custom'] as const;
export const ctaTypes = ['redirect'] as const;
export const ctaStatuses = ['pending', 'done'] as const;
export const buttonTypes = ['primary', 'secondary'] as const;
export const emailBlockTypes = ['button', 'text'] as const;
export const textAlignments = ['center', 'left', 'right'] as const;

export const criticalities = ['critical', 'nonCritical', 'all'] as const;
export type Criticality = (typeof criticalities)[number];
export const overrideSources = ['subscriber', 'template', 'workflowOverride'] as const;
export type OverrideSource = (typeof overrideSources)[number];
export const weekDays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type WeekDay = (typeof weekDays)[number];

export const environmentTypes = ['dev', 'prod'] as const;
export type EnvironmentType = (typeof environmentTypes)[number];

export const filterTypes = [
  'BOOLEAN',
  'TEXT',
  'DATE',
  'NUMBER',
  'STATEMENT',
  'LIST',
  'MULTI_LIST',
  'GROUP',
] as const;
export const filterJoins = ['AND', 'OR'] as const;
export const filterOperators = [
  'LARGER',
  'SMALLER',
  'LARGER_EQUAL',
  'SMALLER_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ALL_IN',
  'ANY_IN',
  'NOT_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
  'IN',
] as const;
export const filterSubjects = ['subscriber', 'payload'] as const;

export const timeUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimeUnit = (typeof timeUnits)[number];
export const throttleUnits = ['minutes', 'hours', 'days'] as const;
/** Digest types in the jobs of the activity. */
export const digestTypes = ['regular', 'backoff', 'timed'] as const;
export const ordinals = ['1', '2', '3', '4', '5', 'last'] as const;
export const monthlyTypes = ['each', 'on'] as const;
export const triggerTypes = ['event'] as const;

export const contentIssueTypes = [
  'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
  'INVALID_FILTER_ARG_IN_VARIABLE',
  'MISSING_VALUE',
  'TIER_LIMIT_EXCEEDED',
  // Since 3.15 and 3.19.
  'INVALID_URL',
  'UNSUPPORTED_PROPERTY',
] as const;
export const integrationIssueTypes = ['MISSING_INTEGRATION', 'INBOX_NOT_CONNECTED'] as const;

export const httpMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;
export const redirectTargets = ['_self', '_blank', '_parent', '_top', '_unfencedTop'] as const;
export const editorTypes = ['block', 'html'] as const;
export type EditorType = (typeof editorTypes)[number];
/** Values of `type` in the controls of throttle steps. */
export const throttleTypes = ['fixed', 'dynamic'] as const;

/** Who uses a connection: one subscriber, or everybody with its contexts. */
export const connectionModes = ['subscriber', 'shared'] as const;

/** The types of endpoints. Each has its own address. */
export const endpointTypes = [
  ...['slack_channel', 'slack_user', 'webhook', 'phone', 'ms_teams_channel', 'ms_teams_user'],
  ...['telegram_chat', 'webex_room', 'webex_person', 'line_user', 'pagerduty_service'],
  ...['opsgenie_integration', 'grafana_oncall_integration', 'tool_webhook'],
] as const;
