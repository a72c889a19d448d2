// The handlers of the operations, by the names of their exports. Those for the inbox of a subscriber are with it.
import * as channels from './channels.ts';
import * as contexts from './contexts.ts';
import * as environmentVariables from './environment-variables.ts';
import * as environments from './environments.ts';
import * as events from './events.ts';
import * as groups from './groups.ts';
import * as inbox from './inbox.ts';
import * as integrations from './integrations.ts';
import * as layouts from './layouts.ts';
import * as layoutsV1 from './layouts-v1.ts';
import * as messages from './messages.ts';
import * as preferences from './preferences.ts';
import * as preferencesV1 from './preferences-v1.ts';
import * as publishing from './publishing.ts';
import * as stepPreview from './step-preview.ts';
import * as subscribers from './subscribers.ts';
import * as subscribersV1 from './subscribers-v1.ts';
import * as topicSubscriptions from './topic-subscriptions.ts';
import * as topics from './topics.ts';
import * as topicsV1 from './topics-v1.ts';
import * as unsubscribing from './unsubscribing.ts';
import * as workflowOverrides from './workflow-overrides.ts';
import * as workflows from './workflows.ts';
import * as workflowsV1 from './workflows-v1.ts';

export const handlers = {
  ...channels,
  ...contexts,
  ...environmentVariables,
  ...environments,
  ...events,
  ...groups,
  ...inbox,
  ...integrations,
  ...layouts,
  ...layoutsV1,
  ...messages,
  ...preferences,
  ...preferencesV1,
  ...publishing,
  ...stepPreview,
  ...subscribers,
  ...subscribersV1,
  ...topicSubscriptions,
  ...topics,
  ...topicsV1,
  ...unsubscribing,
  ...workflowOverrides,
  ...workflows,
  ...workflowsV1,
};
