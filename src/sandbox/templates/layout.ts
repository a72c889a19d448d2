// The checks of the service on the content of a layout. Its mistakes are rejected; the mistakes of a workflow are not.

import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { badRequest, HttpError } from '../http/http-error.ts';
import type { Dialect } from '../store/dialect.ts';
import type { StoredLayout } from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { type BlockNode, documentIn } from './block-document.ts';
import { cleanControls } from './controls.ts';
import { renderEmail } from './email.ts';
import type { RenderPlace } from './liquid.ts';
import { liquidIssues } from './liquid-issues.ts';
import { type Issues, mergeIssues, schemaIssues } from './schema-issues.ts';
import { contextSchema, envSchema, subscriberSchema, usedVariables } from './step-variables.ts';

export const layoutDataSchema = {
  type: 'object',
  properties: {
    email: {
      type: 'object',
      properties: {
        body: { type: 'string', minLength: 1 },
        editorType: { type: 'string', enum: ['block', 'html'], default: 'block' },
      },
      required: ['body'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
  $schema: 'http://json-schema.org/draft-07/schema#',
};

/** The variables of a layout as a JSON Schema. It has no payload. */
export function layoutVariables(
  email: object,
  env: readonly string[] | undefined,
): Record<string, unknown> {
  const { subscriber, context } = usedVariables(Object.values(email), env);
  return {
    type: 'object',
    properties: {
      subscriber: subscriberSchema(isObject(subscriber) ? subscriber.data : {}),
      content: { type: 'string' },
      context: contextSchema(context),
      ...(env && { env: envSchema(env) }),
    },
    additionalProperties: false,
  };
}

/** Throws if the content is neither a document nor a whole page, or lacks the variable `content`. */
export function checkLayout(
  { dialect }: { dialect: Dialect },
  controlValues: Record<string, unknown>,
  env: readonly string[] | undefined,
): void {
  const { email } = controlValues as { email?: { body?: unknown; editorType?: unknown } };
  if (email) checkKind(email);
  const issues = mergeIssues(
    hasContent(email?.body) ? {} : missingContent,
    schemaIssues(layoutDataSchema, cleanControls(controlValues, 'custom', false, dialect), {
      type: 'custom',
      dialect,
    }),
    liquidIssues(controlValues, layoutVariables(email ?? {}, env)),
  );
  if (Object.keys(issues).length === 0) return;
  const context = { controls: issues };
  const message = dialect.hasExactIssues
    ? 'Layout has validation issues'
    : 'Api Exception Raised with status 400';
  throw new HttpError(400, message, { context });
}

function checkKind({ body, editorType }: { body?: unknown; editorType?: unknown }): void {
  // The service fails with 500.
  if (typeof body !== 'string') throw badRequest('The body of a layout must be a string');
  const isDocument = documentIn(body) !== undefined;
  const isPage = ['<html', '</html>', '<body', '</body>'].every((tag) => body.includes(tag));
  const isHtml = editorType === 'html';
  if (isHtml ? isPage : editorType === 'block' ? isDocument : isDocument || isPage) return;
  throw badRequest(`Content must be a valid ${isHtml ? 'HTML' : 'Maily JSON'} content`);
}

const missingContent: Issues = {
  'email.body': [
    {
      message: 'The layout body should contain the "content" variable',
      issueType: 'MISSING_VALUE',
    },
  ],
};

function hasContent(body: unknown): boolean {
  const document = documentIn(body);
  return document ? hasVariable(document) : /\{\{\s*content\s*\}\}/.test(String(body));
}

const hasVariable = (node: BlockNode): boolean =>
  node.attrs?.id === 'content' || (node.content ?? []).some(hasVariable);

// Renders a layout with sample data and a placeholder for the content of the e-mail.

const samplePerson = {
  phone: '+1234567890',
  avatar: 'https://example.com/avatar.png',
  locale: 'en_US',
  timezone: 'America/New_York',
  data: {},
};
export const sampleSubscriber = {
  subscriberId: '123456',
  firstName: 'John',
  lastName: 'Doe',
  email: 'user@example.com',
  ...samplePerson,
};
export const sampleActor = {
  subscriberId: 'actor-123',
  firstName: 'Jane',
  lastName: 'Actor',
  email: 'actor@example.com',
  ...samplePerson,
};

const placeholder =
  '<table align="center" width="100%" border="0" cellpadding="0" cellspacing="0" role="presentation" style="margin-top: 0; margin-right: 0; margin-bottom: 0; margin-left: 0" data-content-placeholder><tbody style="width: 100%"><tr style="width: 100%"><td align="left" style="border-color: #e1e4ea;border-width: 1px;border-style: dashed;background: repeating-linear-gradient(-45deg, #f2f5f8, #f2f5f8 4px, #fbfbfb 4px, #fbfbfb 8px);background-color: #ffffff;border-radius: 4px;padding-top: 8px;padding-right: 8px;padding-bottom: 8px;padding-left: 8px;text-align: center;"><p style="font-size: 10px;line-height: 26.25px;margin: 0 0 0px 0;text-align: center;-webkit-font-smoothing: antialiased;-moz-osx-font-smoothing: grayscale;display: inline;background: #ffffff;border: 1px solid #e1e4ea;border-radius: 4px;padding-top: 4px;padding-right: 8px;padding-bottom: 4px;padding-left: 8px;color: #99a0ae;">Dynamic placeholder content</p></td></tr></tbody></table>';

const emptyDocument = JSON.stringify({ type: 'doc', content: [] });

export interface PreviewRequest {
  controlValues?: { email?: { body?: unknown; editorType?: unknown } | undefined } | undefined;
  previewPayload?: JsonObject | undefined;
}

/** Each given field of the subscriber replaces the field of the sample. */
export function previewLayoutContent(
  { body: stored }: StoredLayout,
  { controlValues, previewPayload = {} }: PreviewRequest,
  place: Pick<Scope, 'dialect' | 'now'>,
) {
  const subscriber = { ...sampleSubscriber, ...asObject(previewPayload.subscriber) };
  const context = asObject(previewPayload.context);
  const hasContext = Object.keys(context).length > 0;
  const body = String((controlValues ? controlValues.email?.body : stored) ?? emptyDocument);
  return {
    result: {
      preview: { body: withBranding(rendered(body, { subscriber, context }, place)) },
      type: 'email',
    },
    previewPayloadExample: {
      ...(hasContent(body) ? { content: 'content' } : {}),
      subscriber,
      ...(place.dialect.hasLaterSteps
        ? { actor: { ...sampleActor, ...asObject(previewPayload.actor) } }
        : {}),
      ...(hasContext ? { context } : {}),
    },
    schema: {
      type: 'object',
      properties: { subscriber: subscriberSchema(subscriber.data), context: contextSchema() },
    },
  };
}

/** A body that cannot be rendered is shown as an empty document. */
function rendered(body: string, variables: JsonObject, place: RenderPlace): string {
  const isPage = body.includes('<html');
  const layout = { body: isPage || documentIn(body) ? body : emptyDocument };
  const request = { body: placeholder, sanitize: false, variables, place };
  try {
    return renderEmail({ ...request, layout });
  } catch {
    return renderEmail({ ...request, layout: { body: emptyDocument } });
  }
}

// The line that the service adds to e-mails, as responses of the service have it. Captured e-mails are shown without it.

const branding = `
<table align="center" width="100%" border="0" cellpadding="0" cellspacing="0" role="presentation" style="max-width:600px;min-width:300px;width:100%;" data-novu-branding>
  <tbody>
    <tr style="width:100%">
      <td align="center" style="padding:16px 0 24px 0;">
        <a href="https://go.novu.co/powered?utm_source=email" target="_blank" rel="noopener noreferrer" style="text-decoration:none;">
          <img src="https://prod-novu-app-bucket.s3.us-east-1.amazonaws.com/assets/email-editor/powered-by-novu.png" alt="Powered by Novu" title="This email was sent using Novu - Open-source notification infrastructure" width="125" height="12" style="display:block;max-width:100%;height:auto;cursor:pointer;" />
        </a>
      </td>
    </tr>
  </tbody>
</table>
`;

/** At the end of the body, or of the text if it has none. */
export function withBranding(html: string): string {
  const end = html.lastIndexOf('</body>');
  return end < 0 ? `${html}${branding}` : `${html.slice(0, end)}${branding}${html.slice(end)}`;
}
