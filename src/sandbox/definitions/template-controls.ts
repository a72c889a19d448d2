// The control values of a step that has a template of version 1 of the routes.
import { isObject } from '../../core/objects.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import type { StepV1 } from '../../service/schemas/workflows-v1.ts';

type Controls = Record<string, unknown>;

export function templateControls(type: StepType, { template, metadata = {} }: StepV1): Controls {
  const { content, subject, title, preheader, cta } = (template ?? {}) as Controls;
  switch (type) {
    case 'email':
      return withoutAbsent({ subject, body: toHtml(content), preheader });
    case 'in_app':
      return withoutAbsent({ subject: title, body: content, redirect: toRedirect(cta) });
    case 'push':
      return withoutAbsent({ subject: title, body: content });
    case 'sms':
    case 'chat':
      return withoutAbsent({ body: content });
    default:
      return timing(metadata);
  }
}

/** E-mails of the older editor are lists of blocks. */
function toHtml(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content
    .filter(isObject)
    .map(({ type, content: text, url }) =>
      type === 'button' ? `<a href="${url}">${text}</a>` : `<div>${text}</div>`,
    )
    .join('');
}

function toRedirect(cta: unknown): object | undefined {
  const url = isObject(cta) && isObject(cta.data) ? cta.data.url : undefined;
  return typeof url === 'string' && url !== '' ? { url, target: '_self' } : undefined;
}

/** A digest or a delay. */
function timing(metadata: Controls): Controls {
  const { type = 'regular', amount, unit, digestKey, delayPath, timed } = metadata;
  return withoutAbsent({ type, amount, unit, digestKey, delayPath, timed });
}

const withoutAbsent = (controls: Controls): Controls =>
  Object.fromEntries(Object.entries(controls).filter(([, value]) => value !== undefined));
