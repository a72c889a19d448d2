// The checks of the service on the content of a layout. Its mistakes are rejected; the mistakes of a workflow are not.

import { type BlockNode, documentIn } from '../rendering/blocks/document.ts';
import { cleanControls } from '../rendering/clean-controls.ts';
import { layoutDataSchema, layoutVariables } from '../serializers/layout.ts';
import { badRequest, HttpError } from '../values/http-error.ts';
import { type Issues, mergeIssues } from './issues.ts';
import { liquidIssues } from './liquid-issues.ts';
import { schemaIssues } from './schema-issues.ts';

/** Throws if the content is neither a document nor a whole page, or lacks the variable `content`. */
export function checkLayout(controlValues: Record<string, unknown>): void {
  const { email } = controlValues as { email?: { body?: unknown; editorType?: unknown } };
  if (email) checkKind(email);
  const issues = mergeIssues(
    hasContent(email?.body) ? {} : missingContent,
    schemaIssues(layoutDataSchema, cleanControls(controlValues, 'custom', false), false),
    liquidIssues(controlValues, layoutVariables(email ?? {})),
  );
  if (Object.keys(issues).length === 0) return;
  const context = { controls: issues };
  throw new HttpError(400, 'Api Exception Raised with status 400', { context });
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

export function hasContent(body: unknown): boolean {
  const document = documentIn(body);
  return document ? hasVariable(document) : /\{\{\s*content\s*\}\}/.test(String(body));
}

const hasVariable = (node: BlockNode): boolean =>
  node.attrs?.id === 'content' || (node.content ?? []).some(hasVariable);
