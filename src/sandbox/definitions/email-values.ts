// The control values of an e-mail step as the service stores them: the identifier of its layout, and a body that fits
// the editor.

import { documentIn } from '../rendering/blocks/document.ts';
import { renderEmail } from '../rendering/email.ts';
import { findLayout } from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { type HttpError, notFound } from '../values/http-error.ts';

type Values = Record<string, unknown>;

/** Returns an error if there is no such layout. */
export function emailValues(scope: Scope, values: Values): Values | HttpError {
  const { layoutId } = values;
  if (typeof layoutId !== 'string') return { ...values, ...cleanBody(scope, values) };
  const layout = layoutId === '' ? undefined : findLayout(scope, layoutId);
  if (!layout) return layoutNotFound(scope, layoutId);
  return { ...values, layoutId: layout.layoutId, ...cleanBody(scope, values) };
}

export const layoutNotFound = ({ environmentId }: Scope, layoutId: string): HttpError =>
  notFound(
    layoutId === ''
      ? `Default layout not found in the environment ${environmentId}`
      : `Layout not found for id ${layoutId} in the environment ${environmentId}`,
  );

/** The block editor takes block documents alone; the HTML editor gets the HTML of a document. */
function cleanBody({ now }: Scope, { body, editorType }: Values): Values {
  const isDocument = documentIn(body) !== undefined;
  if (editorType === 'block' && !isDocument) return { body: '' };
  if (editorType !== 'html' || !isDocument) return {};
  return { body: renderEmail({ body: String(body), sanitize: false, variables: {}, now }) };
}
