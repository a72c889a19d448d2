// An application with the inbox of @novu/react, or with its subscription to a topic, which later versions have. The
// address names the sandbox, the environment, the subscriber and the topic.
import * as novu from '@novu/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const { sandbox, application, subscriber, topic } = Object.fromEntries(
  new URLSearchParams(window.location.search),
);
const session = {
  applicationIdentifier: application,
  subscriber: { subscriberId: subscriber },
  backendUrl: sandbox,
  socketUrl: sandbox,
};
const workflow = { label: 'Notes', workflowId: 'note' };

createRoot(document.getElementById('app')).render(
  topic
    ? createElement(
        novu.NovuProvider,
        session,
        createElement(novu.Subscription, { topicKey: topic, open: true, preferences: [workflow] }),
      )
    : createElement(novu.Inbox, { ...session, open: true }),
);
