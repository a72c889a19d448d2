// The handler of every operation. A missing handler does not compile.
import { listActivity } from './activity.ts';
import { createContext, deleteContext, updateContext } from './context-writes.ts';
import { getContext, listContexts } from './contexts.ts';
import {
  createIntegration,
  listActiveIntegrations,
  listIntegrations,
  setPrimaryIntegration,
} from './create-integration.ts';
import {
  deleteSubscriberCredentials,
  replaceSubscriberCredentials,
  setSubscriberCredentials,
} from './credentials.ts';
import { deleteEnvironment, listEnvironmentTags, updateEnvironment } from './environment-writes.ts';
import { createEnvironment, listEnvironments } from './environments.ts';
import { broadcastEvent, cancelEvent, triggerEvent, triggerEvents } from './events.ts';
import type { Handlers } from './handler.ts';
import { listInboxNotifications, markInboxNotifications, setNotificationAction } from './inbox.ts';
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
import {
  deleteMessage,
  deleteTransactionMessages,
  getActivity,
  getActivityStats,
  listMessages,
} from './messages.ts';
import { getSubscriberPreferences, updateSubscriberPreferences } from './preferences.ts';
import {
  countInboxNotifications,
  markAllInboxNotifications,
  updateManyPreferences,
} from './subscriber-channels.ts';
import {
  createSubscriber,
  deleteSubscriber,
  getSubscriber,
  listSubscribers,
  listSubscriberTopics,
  updateSubscriber,
} from './subscriber-resource.ts';
import { bulkCreateSubscribers } from './subscribers.ts';
import {
  createSubscriberV1,
  deleteSubscriberV1,
  getSubscriberV1,
  listSubscribersV1,
  setOnlineStatus,
  updateSubscriberV1,
} from './subscribers-v1.ts';
import {
  createTopic,
  deleteTopic,
  getTopicSubscriber,
  listTopicSubscriptions,
  unsubscribeFromTopic,
} from './topic-writes.ts';
import { getTopic, listTopics, renameTopic, subscribeToTopic } from './topics.ts';
import {
  createWorkflow,
  deleteWorkflow,
  patchWorkflow,
  updateWorkflow,
} from './workflow-writes.ts';
import { getWorkflow, getWorkflowStep, listWorkflows } from './workflows.ts';

export const handlers: Handlers = {
  broadcastEvent,
  bulkCreateSubscribers,
  cancelEvent,
  countInboxNotifications,
  createContext,
  createEnvironment,
  createIntegration,
  createLayout,
  createSubscriber,
  createSubscriberV1,
  createTopic,
  createWorkflow,
  deleteContext,
  deleteEnvironment,
  deleteIntegration,
  deleteLayout,
  deleteMessage,
  deleteSubscriber,
  deleteSubscriberCredentials,
  deleteSubscriberV1,
  deleteTopic,
  deleteTransactionMessages,
  deleteWorkflow,
  duplicateLayout,
  getActivity,
  getActivityStats,
  getContext,
  getLayout,
  getLayoutUsage,
  getSubscriber,
  getSubscriberPreferences,
  getSubscriberV1,
  getTopic,
  getTopicSubscriber,
  getWorkflow,
  getWorkflowStep,
  listActiveIntegrations,
  listActivity,
  listContexts,
  listEnvironments,
  listEnvironmentTags,
  listInboxNotifications,
  listIntegrations,
  listLayouts,
  listMessages,
  listSubscribers,
  listSubscribersV1,
  listSubscriberTopics,
  listTopics,
  listTopicSubscriptions,
  listWorkflows,
  markAllInboxNotifications,
  markInboxNotifications,
  patchWorkflow,
  previewLayout,
  renameTopic,
  replaceSubscriberCredentials,
  setNotificationAction,
  setOnlineStatus,
  setPrimaryIntegration,
  setSubscriberCredentials,
  subscribeToTopic,
  triggerEvent,
  triggerEvents,
  unsubscribeFromTopic,
  updateContext,
  updateEnvironment,
  updateIntegration,
  updateLayout,
  updateManyPreferences,
  updateSubscriber,
  updateSubscriberPreferences,
  updateSubscriberV1,
  updateWorkflow,
};
