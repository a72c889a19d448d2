// The parts that a provider gets besides the content of a message: from its integration, unless the event replaces them.
import { isObject, withoutUndefined } from '../../core/objects.ts';
import { givenText } from '../../core/text.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { Attachment, SentParts } from '../store/messages.ts';
import type { DirectChannel } from './select-integration.ts';

type Members = Record<string, unknown>;

/** The service uses this sender if the integration has none. */
const defaultSender = 'no-reply@novu.co';

/** Undefined for a message that has no such parts. */
export function toSentParts(
  channel: DirectChannel,
  { credentials }: StoredIntegration,
  overrides: Members,
  { attachments }: Members,
): SentParts | undefined {
  if (channel === 'in_app') return undefined;
  const from = givenText(overrides.from) ?? givenText(credentials.from);
  if (channel === 'sms') return from === undefined ? undefined : { from };
  const text = givenText(overrides.text);
  return withoutUndefined({
    from: from ?? defaultSender,
    senderName: givenText(overrides.senderName) ?? givenText(credentials.senderName),
    cc: toAddresses(overrides.cc),
    bcc: toAddresses(overrides.bcc),
    replyTo: givenText(overrides.replyTo),
    text,
    html: givenText(overrides.html) ?? text,
    attachments: Array.isArray(attachments) ? toAttachments(attachments) : undefined,
  });
}

function toAddresses(value: unknown): string[] | undefined {
  const all = [value].flat().flatMap((address) => givenText(address) ?? []);
  return all.length === 0 ? undefined : all;
}

const toAttachments = (all: readonly unknown[]): Attachment[] =>
  all.filter(isObject).map(({ name, mime, file }) => ({
    name: givenText(name) ?? '',
    type: givenText(mime) ?? null,
    size: countBytes(file),
  }));

/** The file is text in Base64, or a buffer as JSON. */
function countBytes(file: unknown): number {
  if (typeof file === 'string') return Buffer.from(file, 'base64').length;
  return isObject(file) && Array.isArray(file.data) ? file.data.length : 0;
}
