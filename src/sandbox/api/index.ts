// The handler of every operation, by the name of its export. A missing handler does not compile.
import * as channels from './channels.ts';
import * as contexts from './contexts.ts';
import * as environmentVariables from './environment-variables.ts';
import * as environments from './environments.ts';
import * as events from './events.ts';
import * as groups from './groups.ts';
import type { Handlers } from './handler.ts';
import * as inbox from './inbox.ts';
import * as integrations from './integrations.ts';
import * as layouts from './layouts.ts';
import * as layoutsV1 from './layouts-v1.ts';
import * as messages from './messages.ts';
import * as preferences from './preferences.ts';
import * as preferencesV1 from './preferences-v1.ts';
import * as publishing from './publishing.ts';
import * as stepPreview from './step-preview.ts';
import * as subscriberNotifications from './subscriber-notifications.ts';
import * as subscribers from './subscribers.ts';
import * as subscribersV1 from './subscribers-v1.ts';
import * as topicSubscriptions from './topic-subscriptions.ts';
import * as topics from './topics.ts';
import * as topicsV1 from './topics-v1.ts';
import * as workflowOverrides from './workflow-overrides.ts';
import * as workflows from './workflows.ts';
import * as workflowsV1 from './workflows-v1.ts';

const { queryReaders, ...withoutReaders } = subscriberNotifications;

export { queryReaders };

export const handlers: Handlers = {
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
  ...withoutReaders,
  ...subscribers,
  ...subscribersV1,
  ...topicSubscriptions,
  ...topics,
  ...topicsV1,
  ...workflowOverrides,
  ...workflows,
  ...workflowsV1,
};
