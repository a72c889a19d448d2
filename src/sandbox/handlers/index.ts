// The handler of every operation. A missing handler does not compile.
import * as activity from './activity.ts';
import * as bridge from './bridge.ts';
import {
  createContext,
  deleteContext,
  getContext,
  listContexts,
  updateContext,
} from './contexts.ts';
import {
  deleteSubscriberCredentials,
  replaceSubscriberCredentials,
  setSubscriberCredentials,
} from './credentials.ts';
import {
  createEnvironment,
  deleteEnvironment,
  getCurrentEnvironment,
  listApiKeys,
  listEnvironments,
  listEnvironmentTags,
  updateEnvironment,
} from './environments.ts';
import { broadcastEvent, cancelEvent, triggerEvent, triggerEvents } from './events.ts';
import * as groups from './groups.ts';
import type { Handlers } from './handler.ts';
import {
  countInboxNotifications,
  listInboxNotifications,
  markAllInboxNotifications,
  markInboxNotifications,
  markMessagesV1,
  setNotificationAction,
} from './inbox.ts';
import {
  createIntegration,
  deleteIntegration,
  getWebhookStatus,
  listActiveIntegrations,
  listIntegrations,
  setPrimaryIntegration,
  updateIntegration,
} from './integrations.ts';
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
import * as layoutsV1 from './layouts-v1.ts';
import { deleteMessage, deleteTransactionMessages, listMessages } from './messages.ts';
import * as organizations from './organizations.ts';
import {
  getSubscriberPreferences,
  updateManyPreferences,
  updateSubscriberPreferences,
} from './preferences.ts';
import * as preferencesV1 from './preferences-v1.ts';
import {
  bulkCreateSubscribers,
  createSubscriber,
  deleteSubscriber,
  getSubscriber,
  listSubscribers,
  listSubscriberTopics,
  updateSubscriber,
} from './subscribers.ts';
import {
  createSubscriberV1,
  deleteSubscriberV1,
  getSubscriberV1,
  listSubscribersV1,
  setOnlineStatus,
  updateSubscriberV1,
} from './subscribers-v1.ts';
import * as tenants from './tenants.ts';
import {
  getTopicSubscriber,
  listTopicSubscriptions,
  subscribeToTopic,
  unsubscribeFromTopic,
} from './topic-subscriptions.ts';
import { createTopic, deleteTopic, getTopic, listTopics, renameTopic } from './topics.ts';
import * as topicsV1 from './topics-v1.ts';
import * as workflowOverrides from './workflow-overrides.ts';
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  getWorkflowStep,
  listWorkflows,
  patchWorkflow,
  updateWorkflow,
} from './workflows.ts';
import * as workflowsV1 from './workflows-v1.ts';

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
  getContext,
  getCurrentEnvironment,
  getLayout,
  getLayoutUsage,
  getSubscriber,
  getSubscriberPreferences,
  getSubscriberV1,
  getTopic,
  getTopicSubscriber,
  getWebhookStatus,
  getWorkflow,
  getWorkflowStep,
  listActiveIntegrations,
  listApiKeys,
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
  markMessagesV1,
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
  ...activity,
  ...bridge,
  ...groups,
  ...layoutsV1,
  ...organizations,
  ...preferencesV1,
  ...tenants,
  ...topicsV1,
  ...workflowOverrides,
  ...workflowsV1,
};
