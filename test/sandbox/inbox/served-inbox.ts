// A sandbox with a port, and sessions of inbox clients in it.
import { onTestFinished } from 'vitest';
import type { SandboxState } from '../../../src/sandbox/state/schema.ts';
import { controlAt } from '../../support/control.ts';
import { type ServeOptions, serveSandbox } from '../../support/sandbox-311.ts';

const step = {
  stepId: 'in-app',
  name: 'In-app',
  type: 'in_app' as const,
  controlValues: {
    subject: 'Note {{payload.n}}',
    body: 'Text {{payload.n}}',
    primaryAction: { label: 'Open', redirect: { url: '/open', target: '_self' } },
    secondaryAction: { label: 'Later' },
    data: { kind: 'k{{payload.n}}' },
  },
};

const inbox = {
  ...{
    identifier: 'inbox-production',
    name: 'Inbox',
    providerId: 'svc',
    channel: 'in_app' as const,
  },
};

const email = {
  ...{ stepId: 'email', name: 'E-mail', type: 'email' as const },
  controlValues: { subject: 'Note {{payload.n}}', body: 'Text', editorType: 'html' },
};

/** `note` has one in-app step with both buttons, `note-and-email` also sends an e-mail. */
export const noteState: SandboxState = {
  version: 1,
  compat: 'novu',
  environments: [
    {
      name: 'Development',
      workflows: [
        ...[
          {
            workflowId: 'note',
            name: 'Note',
            tags: ['news'],
            severity: 'high' as const,
            steps: [step],
          },
        ],
        { workflowId: 'note-and-email', name: 'Note and e-mail', steps: [step, email] },
      ],
    },
    { name: 'Production', parent: 'Development', integrations: [inbox] },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
type Body = any;

export async function serveInbox(options: Partial<ServeOptions> = {}) {
  const server = await serveSandbox({
    ...{ host: '127.0.0.1', port: 0, isBackground: true, seed: noteState },
    ...options,
  });
  onTestFinished(server.close);
  const { baseUrl, key, applicationIdentifier } = server;
  const send = async (line: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = 'GET', target = '/'] = line.split(' ');
    const response = await fetch(`${baseUrl}${target}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  };
  const ask = (line: string, body?: unknown) =>
    send(line, body, { authorization: `ApiKey ${key}` });
  const openSession = async (subscriberId: string, more: object = {}) => {
    const session = { applicationIdentifier, subscriber: { subscriberId }, ...more };
    const { body } = await send('POST /v1/inbox/session', session);
    const { token } = body.data as { token: string };
    return {
      ...{ token, session: body.data },
      ask: (line: string, sent?: unknown, headers: Record<string, string> = {}) =>
        send(line.replace(' ', ' /v1/inbox'), sent, {
          authorization: `Bearer ${token}`,
          ...headers,
        }),
    };
  };
  return {
    ...{ server, baseUrl, key, applicationIdentifier, send, ask, openSession },
    control: controlAt({ baseUrl, key }),
    trigger: (to: unknown, n = 1, more: object = {}) =>
      ask('POST /v1/events/trigger', { name: 'note', to, payload: { n }, ...more }),
  };
}
