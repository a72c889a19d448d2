// Reads what the detail of a message shows besides its content.
import { isObject } from '../../core/objects.ts';
import { findLinks } from '../rendering/links.ts';
import { type RemovedParts, removedFrom } from '../rendering/removed.ts';
import { listJobs } from '../store/jobs.ts';
import { sentContent } from '../store/messages.ts';
import { type ListedMessage, listedMessage } from '../store/page-messages.ts';
import { type Check, checkEmail } from './email-checks.ts';
import { closedPorts } from './loopback-ports.ts';
import type { OpenedMessage } from './message.tsx';
import { type Tab, tabFor } from './tabs.tsx';
import type { View } from './view.ts';

export async function openMessage(
  view: View,
  stored: ListedMessage,
  requestedTab: string | undefined,
  compare: string | undefined,
): Promise<OpenedMessage> {
  const message = asSent(stored);
  const tab = tabFor(message.channel, requestedTab);
  const checks = message.channel === 'email' ? await runChecks(view, message, tab) : [];
  const other = compare === undefined ? undefined : listedMessage(view.scope, compare);
  const isBefore = other !== undefined && isOlder(other, message);
  return { message, tab, checks, compared: other && { message: other, isBefore } };
}

/** With the content that the event sends instead of its template. */
export const asSent = (message: ListedMessage): ListedMessage => ({
  ...message,
  content: sentContent(message),
});

/** Ids grow with time. */
const isOlder = (a: ListedMessage, b: ListedMessage): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;

async function runChecks(view: View, message: ListedMessage, tab: Tab): Promise<Check[]> {
  const { content, problems = {} } = message;
  // The number of findings, which every tab shows, opens no connections.
  const urls = tab === 'checks' ? findLinks(content, true).map(({ url }) => url) : [];
  const closed = await closedPorts(urls);
  return checkEmail({ content, problems, closed, removed: removedParts(view, message) });
}

/** The parts that the service removed from the step of the message; undefined if the step is not known. */
function removedParts(
  { scope }: View,
  { notification, job }: ListedMessage,
): RemovedParts | undefined {
  const step = listJobs(scope, [notification]).find(({ id }) => id === job)?.step;
  const controls = isObject(step?.controlVariables) ? step.controlVariables : {};
  const { body, disableOutputSanitization } = controls;
  return typeof body === 'string'
    ? removedFrom(body, disableOutputSanitization !== true)
    : undefined;
}
