// The body of an e-mail: a block document or HTML, in its layout.
import { documentOrEmpty } from './blocks/document.ts';
import { evaluate } from './blocks/evaluate.ts';
import { element } from './blocks/html.ts';
import { renderNode } from './blocks/render.ts';
import type { ProblemCollector } from './collect-problems.ts';
import { renderLiquid, type Variables } from './liquid.ts';
import { sanitized } from './sanitize.ts';

/** HTML with Liquid, or a block document as JSON. */
export interface EmailLayout {
  body: string;
}

export interface EmailRequest {
  /** The body as it is after the control values were rendered. */
  body: string;
  layout?: EmailLayout | undefined;
  sanitize: boolean;
  variables: Variables;
  /** ISO time of the sandbox. */
  now: string;
  problems?: ProblemCollector | undefined;
}

/** The HTML of an e-mail. Throws what makes the step fail. */
export function renderEmail(request: EmailRequest): string {
  const { layout, sanitize } = request;
  const content = withoutComments(renderBody(request));
  const html = layout ? renderLayout(request, layout, content) : content;
  const clean = html.replaceAll(/<p([^>]*)>\s+<\/p>/g, '<p$1></p>');
  return sanitize ? sanitized(clean) : clean;
}

function renderBody({ body, layout, variables, now, problems }: EmailRequest): string {
  const document = documentOrEmpty(body);
  const report = problems?.of('body');
  if (!document) return renderLiquid(unescapedJson(body), variables, now, report);
  const html = renderNode(evaluate(document, variables, now, report));
  return layout ? html : wrapped(html);
}

/** The layout's `content` is the HTML of the step: put in as it is, in text and in a block document alike. */
function renderLayout(
  { variables, now, problems }: EmailRequest,
  { body }: EmailLayout,
  content: string,
) {
  const joined = content.replaceAll('\n', '');
  const document = documentOrEmpty(body);
  const report = problems?.of('layout');
  if (!document)
    return renderLiquid(unescapedJson(body), { ...variables, content: joined }, now, report);
  const html = renderNode(evaluate(document, { ...variables, content: contentMark }, now, report));
  return wrapped(html.replaceAll(contentMark, () => joined));
}

/** Takes the place of the content while the layout is rendered; no text that is sent contains it. */
const contentMark = '\u{e000}content\u{e001}';

const wrapped = (content: string): string =>
  element(
    'html',
    { dir: 'ltr', lang: 'en' },
    `<head><meta content="text/html; charset=UTF-8" http-equiv="Content-Type"/></head><body>${content}</body>`,
  );

const withoutComments = (html: string): string =>
  html.replaceAll(/<!DOCTYPE.*?>/g, '').replaceAll(/<!--[\s\S]*?-->/g, '');

/** Escapes of JSON that the first rendering has left in an HTML body. */
const unescapedJson = (text: string): string =>
  text.replaceAll(/\\([trn"'\\])/g, (whole, character: string) => escapes[character] ?? whole);

const escapes: Record<string, string> = {
  t: '\t',
  r: '\r',
  n: '\n',
  '"': '"',
  "'": "'",
  '\\': '\\',
};
