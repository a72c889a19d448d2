// The application: a page with the inbox of its user.
import { Inbox } from '@novu/react';
import { createRoot } from 'react-dom/client';

const { NOVU_API_URL, NOVU_SOCKET_URL, NOVU_APPLICATION_IDENTIFIER } = import.meta.env;

createRoot(document.getElementById('app')).render(
  <Inbox
    applicationIdentifier={NOVU_APPLICATION_IDENTIFIER}
    subscriber="ada"
    backendUrl={NOVU_API_URL}
    socketUrl={NOVU_SOCKET_URL}
  />,
);
