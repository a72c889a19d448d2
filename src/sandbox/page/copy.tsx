// Requests, events and messages as text to copy: for a terminal, for the code of an application and for its tests.

import { curlCommand } from '../../core/curl.ts';
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { shellQuote, shellWord } from '../../core/text.ts';
import { createRequestMask } from '../control/request-mask.ts';
import { submittedEvent } from '../store/events.ts';
import { messagesOfTransaction } from '../store/messages.ts';
import type { ListedMessage } from '../store/page-messages.ts';
import { codeOf, type SentRequest, sdkCall } from './sdk-calls.ts';
import { commandForProfile, type View } from './view.ts';

interface Snippet {
  name: string;
  text: string;
}

/** A longer text is not copied by a person. */
const maxLength = 6_000;

export const CopyAs = ({ snippets }: { snippets: readonly Snippet[] }) => (
  <details class="copy">
    <summary>Copy as</summary>
    {snippets.map(({ name, text }) =>
      text.length > maxLength ? null : (
        <section aria-label={name}>
          <h3>
            {name}
            <button type="button" data-copy>
              Copy<span class="hidden"> {name}</span>
            </button>
          </h3>
          <pre class="source" tabindex={0} dir="ltr">
            {text}
          </pre>
        </section>
      ),
    )}
    {snippets.some(({ text }) => text.length > maxLength) ? (
      <p class="none">The content is too long to copy.</p>
    ) : null}
  </details>
);

/** The request has no secrets. */
export function requestSnippets(
  view: View,
  { method, path, query, body, status }: SentRequest & { status: number | null },
): Snippet[] {
  const expected = { status, ...(isObject(body) ? { body } : {}) };
  return [
    ...sending(view, { method, path, query, body }),
    test('requests', { method, path }, `expect.objectContaining(${codeOf(expected)})`),
  ];
}

/** The event of a transaction, as it was triggered; undefined for an event of an older sandbox. */
export function eventSnippets(view: View, transactionId: string, subscriber?: string): Snippet[] {
  const event = findEvent(view, transactionId);
  if (!event) return [];
  const messages = messagesOfTransaction(view.scope, transactionId);
  const recipient = subscriber === undefined ? {} : { subscriber };
  const channels = [...new Set(messages.map(({ channel }) => channel))].map(
    (channel) => `expect.objectContaining(${codeOf({ channel, status: 'sent' })})`,
  );
  const filter = { workflow: event.name, ...recipient };
  return [
    ...sending(view, triggerRequest(event)),
    ...channels.slice(0, 1).map(() => test('messages', filter, channels.join(', '))),
  ];
}

const maxBody = 400;

/** The event that made the message, and an assertion about the message. */
export function messageSnippets(view: View, message: ListedMessage): Snippet[] {
  const { transactionId, channel, subscriberId, templateIdentifier, status } = message;
  const event = findEvent(view, transactionId);
  const { subject, title, content } = message;
  const text = subject ?? title;
  const body = content.length > maxBody ? {} : { body: content };
  const expected = text ? (subject ? { subject } : { title }) : body;
  const filter = { subscriber: subscriberId, channel, workflow: templateIdentifier };
  return [
    ...(event ? sending(view, triggerRequest(event)) : []),
    test('messages', filter, `expect.objectContaining(${codeOf({ ...expected, status })})`),
  ];
}

function findEvent({ scope }: View, transactionId: string): JsonObject | undefined {
  const event = submittedEvent(scope, transactionId);
  if (!isObject(event)) return undefined;
  // The service ignores a second event with the same transaction.
  const { transactionId: _, ...repeated } = createRequestMask(scope)(event);
  return repeated;
}

const triggerRequest = (event: JsonObject): SentRequest => ({
  method: 'POST',
  path: '/v1/events/trigger',
  query: {},
  body: event,
});

const test = (member: 'messages' | 'requests', filter: JsonObject, expected: string): Snippet => ({
  name: 'Test (svc-cli/testing)',
  text: `expect(await sandbox.${member}(${codeOf(filter)})).toEqual(
  expect.arrayContaining([${expected}]),
);`,
});

const imports = `import { env } from 'node:process';
import { Novu } from '@novu/api';`;

function sending(view: View, request: SentRequest): Snippet[] {
  const { method, path, query, body } = request;
  const search = new URLSearchParams(query).toString();
  const target = search === '' ? path : `${path}?${search}`;
  const text = body === null || body === undefined ? undefined : JSON.stringify(body);
  const origin = `http://127.0.0.1:${view.place.port}`;
  const call = sdkCall(request);
  const client = `const novu = new Novu({ serverURL: '${origin}', secretKey: env.SVC_API_KEY });`;
  const api = `svc api ${method} ${shellWord(target)}${text === undefined ? '' : ` --body ${shellQuote(text)}`}`;
  const command = path === '/v1/events/trigger' ? triggerCommand(asObject(body)) : undefined;
  return [
    { name: 'svc', text: commandForProfile(view.place, command ?? api) },
    {
      name: 'curl',
      text: curlCommand({
        method,
        url: `${origin}${target}`,
        body: text,
        headers: text === undefined ? [] : [['content-type', 'application/json']],
      }),
    },
    ...(call === undefined
      ? []
      : [{ name: '@novu/api', text: `${imports}\n\n${client}\n${call}` }]),
  ];
}

/** Undefined for an event with parts that the command does not take from a command line. */
function triggerCommand({ name, to, payload, overrides, ...rest }: JsonObject): string | undefined {
  const recipients = [to].flat().map(recipientOption);
  const isComplete = recipients.length > 0 && recipients.every((option) => option !== undefined);
  if (typeof name !== 'string' || !isComplete || Object.keys(rest).length > 0) return undefined;
  const json = (option: string, value: unknown) =>
    isObject(value) && Object.keys(value).length > 0
      ? [`${option} ${shellQuote(JSON.stringify(value))}`]
      : [];
  return [
    `svc events trigger ${shellWord(name)}`,
    ...recipients,
    ...json('--payload', payload),
    ...json('--overrides', overrides),
  ].join(' ');
}

function recipientOption(to: unknown): string | undefined {
  if (typeof to === 'string') return `--to ${shellWord(to)}`;
  const { type, topicKey, subscriberId, ...rest } = asObject(to);
  if (Object.keys(rest).length > 0) return undefined;
  if (type === 'Topic' && typeof topicKey === 'string') return `--to-topic ${shellWord(topicKey)}`;
  return typeof subscriberId === 'string' && type === undefined
    ? `--to ${shellWord(subscriberId)}`
    : undefined;
}
