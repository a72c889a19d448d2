// Renders a layout with sample data and a placeholder for the content of the e-mail.
import { readDocument } from '../rendering/blocks/document.ts';
import { renderEmail } from '../rendering/email.ts';
import { contextSchema, subscriberSchema } from '../serializers/step-variables.ts';
import type { StoredLayout } from '../store/layouts.ts';
import { hasContent } from './check-layout.ts';

type Values = Record<string, unknown>;

const sampleSubscriber = {
  subscriberId: '123456',
  firstName: 'John',
  lastName: 'Doe',
  email: 'user@example.com',
  phone: '+1234567890',
  avatar: 'https://example.com/avatar.png',
  locale: 'en_US',
  timezone: 'America/New_York',
  data: {},
};

const placeholder =
  '<table align="center" width="100%" role="presentation" data-content-placeholder><tbody><tr><td style="border:1px dashed #e1e4ea;text-align:center"><p>Dynamic placeholder content</p></td></tr></tbody></table>';

const emptyDocument = JSON.stringify({ type: 'doc', content: [] });

export interface PreviewRequest {
  controlValues?: { email?: { body?: unknown; editorType?: unknown } | undefined } | undefined;
  previewPayload?: Values | undefined;
}

/** Given fields of the subscriber replace those of the sample one by one. */
export function previewLayoutContent(
  { body: stored }: StoredLayout,
  { controlValues, previewPayload = {} }: PreviewRequest,
  now: string,
) {
  const subscriber = { ...sampleSubscriber, ...objectOf(previewPayload.subscriber) };
  const context = objectOf(previewPayload.context);
  const hasContext = Object.keys(context).length > 0;
  const body = String((controlValues ? controlValues.email?.body : stored) ?? emptyDocument);
  return {
    result: {
      preview: { body: rendered(body, { subscriber, context }, now) },
      type: 'email',
    },
    previewPayloadExample: {
      ...(hasContent(body) ? { content: 'content' } : {}),
      subscriber,
      ...(hasContext ? { context } : {}),
    },
    schema: {
      type: 'object',
      properties: { subscriber: subscriberSchema(subscriber.data), context: contextSchema() },
    },
  };
}

/** A body that cannot be rendered is shown as an empty document. */
function rendered(body: string, variables: Values, now: string): string {
  const isPage = body.includes('<html');
  const layout = { body: isPage || readDocument(body) ? body : emptyDocument };
  const request = { body: placeholder, sanitize: false, variables, now };
  try {
    return renderEmail({ ...request, layout });
  } catch {
    return renderEmail({ ...request, layout: { body: emptyDocument } });
  }
}

const objectOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {};
