// The handler of every operation. A missing handler does not compile.
import type { OperationId } from '../../api/operations/index.ts';
import { listActivity } from './activity.ts';
import { getContext, listContexts } from './contexts.ts';
import { deleteSubscriberCredentials, setSubscriberCredentials } from './credentials.ts';
import { createEnvironment, listEnvironments } from './environments.ts';
import { cancelEvent, triggerEvents } from './events.ts';
import type { Handlers } from './handler.ts';
import { listInboxNotifications, markInboxNotifications } from './inbox.ts';
import { deleteIntegration, updateIntegration } from './integrations.ts';
import {
  createLayout,
  deleteLayout,
  duplicateLayout,
  getLayout,
  getLayoutUsage,
  listLayouts,
  previewLayout,
  updateLayout,
} from './layouts.ts';
import { getSubscriberPreferences, updateSubscriberPreferences } from './preferences.ts';
import { bulkCreateSubscribers } from './subscribers.ts';
import { getTopic, listTopics, renameTopic, subscribeToTopic } from './topics.ts';
import {
  createWorkflow,
  deleteWorkflow,
  patchWorkflow,
  updateWorkflow,
} from './workflow-writes.ts';
import { getWorkflow, getWorkflowStep, listWorkflows } from './workflows.ts';

export const handlers: Handlers = {
  bulkCreateSubscribers,
  cancelEvent,
  createEnvironment,
  createLayout,
  createWorkflow,
  deleteIntegration,
  deleteLayout,
  deleteSubscriberCredentials,
  deleteWorkflow,
  duplicateLayout,
  getContext,
  getLayout,
  getLayoutUsage,
  getSubscriberPreferences,
  getTopic,
  getWorkflow,
  getWorkflowStep,
  listActivity,
  listContexts,
  listEnvironments,
  listInboxNotifications,
  listLayouts,
  listTopics,
  listWorkflows,
  markInboxNotifications,
  patchWorkflow,
  previewLayout,
  renameTopic,
  setSubscriberCredentials,
  subscribeToTopic,
  triggerEvents,
  updateIntegration,
  updateLayout,
  updateSubscriberPreferences,
  updateWorkflow,
};

/** The operations that the sandbox serves. */
export const servedIds = Object.keys(handlers) as OperationId[];
