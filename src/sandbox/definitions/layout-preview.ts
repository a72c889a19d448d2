// Renders a layout with sample data and a placeholder for the content of the e-mail.
import { asObject } from '../../core/objects.ts';
import { documentIn } from '../rendering/blocks/document.ts';
import { renderEmail } from '../rendering/email.ts';
import { withBranding } from '../serializers/branding.ts';
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
  '<table align="center" width="100%" border="0" cellpadding="0" cellspacing="0" role="presentation" style="margin-top: 0; margin-right: 0; margin-bottom: 0; margin-left: 0" data-content-placeholder><tbody style="width: 100%"><tr style="width: 100%"><td align="left" style="border-color: #e1e4ea;border-width: 1px;border-style: dashed;background: repeating-linear-gradient(-45deg, #f2f5f8, #f2f5f8 4px, #fbfbfb 4px, #fbfbfb 8px);background-color: #ffffff;border-radius: 4px;padding-top: 8px;padding-right: 8px;padding-bottom: 8px;padding-left: 8px;text-align: center;"><p style="font-size: 10px;line-height: 26.25px;margin: 0 0 0px 0;text-align: center;-webkit-font-smoothing: antialiased;-moz-osx-font-smoothing: grayscale;display: inline;background: #ffffff;border: 1px solid #e1e4ea;border-radius: 4px;padding-top: 4px;padding-right: 8px;padding-bottom: 4px;padding-left: 8px;color: #99a0ae;">Dynamic placeholder content</p></td></tr></tbody></table>';

const emptyDocument = JSON.stringify({ type: 'doc', content: [] });

export interface PreviewRequest {
  controlValues?: { email?: { body?: unknown; editorType?: unknown } | undefined } | undefined;
  previewPayload?: Values | undefined;
}

/** Each given field of the subscriber replaces the field of the sample. */
export function previewLayoutContent(
  { body: stored }: StoredLayout,
  { controlValues, previewPayload = {} }: PreviewRequest,
  now: string,
) {
  const subscriber = { ...sampleSubscriber, ...asObject(previewPayload.subscriber) };
  const context = asObject(previewPayload.context);
  const hasContext = Object.keys(context).length > 0;
  const body = String((controlValues ? controlValues.email?.body : stored) ?? emptyDocument);
  return {
    result: {
      preview: { body: withBranding(rendered(body, { subscriber, context }, now)) },
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
  const layout = { body: isPage || documentIn(body) ? body : emptyDocument };
  const request = { body: placeholder, sanitize: false, variables, now };
  try {
    return renderEmail({ ...request, layout });
  } catch {
    return renderEmail({ ...request, layout: { body: emptyDocument } });
  }
}
