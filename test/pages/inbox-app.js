// An application with the inbox of @novu/react. The address names the sandbox, the environment and the subscriber.
import { Inbox } from '@novu/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const { sandbox, application, subscriber } = Object.fromEntries(
  new URLSearchParams(window.location.search),
);

createRoot(document.getElementById('app')).render(
  createElement(Inbox, {
    applicationIdentifier: application,
    subscriber: { subscriberId: subscriber },
    backendUrl: sandbox,
    socketUrl: sandbox,
    open: true,
  }),
);
