// E-mails of the block editor and HTML e-mails, as a real server delivered them: the same text, links, order and
// structure, without styles.
import { describe, expect, it } from 'vitest';
import { ControlSyntaxError, renderControls } from '../../../src/sandbox/templates/controls.ts';
import { renderEmail } from '../../../src/sandbox/templates/email.ts';
import recorded from '../../recorded/block-editor.json' with { type: 'json' };

interface RecordedEmail {
  name: string;
  document: unknown;
  editorType?: string;
  layout?: string;
  payload?: Record<string, unknown>;
  overrides?: Record<string, unknown>;
  controlValues?: { disableOutputSanitization?: boolean };
  html?: string;
  message?: string;
}

const layouts = recorded.layouts as Record<string, { body: unknown }>;
const place = { now: '2026-01-15T12:00:00.000Z', dialect: { listsAllNames: false } };
const asText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

function recordedVariables({ name, payload }: RecordedEmail) {
  const { '...shared': isShared, ...own } = payload ?? { '...shared': true };
  return {
    payload: isShared ? { ...recorded.payload, ...own } : own,
    subscriber: recorded.subscriber,
    workflow: { name: `lay-b-${name}` },
    steps: {},
    context: {},
  };
}

function rendered(email: RecordedEmail): string {
  const variables = recordedVariables(email);
  const { body } = renderControls({ body: asText(email.document) }, variables, place);
  const layout = email.layout === undefined ? undefined : layouts[email.layout];
  return renderEmail({
    body: String(body),
    layout: layout && { body: asText(layout.body) },
    sanitize: email.controlValues?.disableOutputSanitization !== true,
    variables,
    place,
  });
}

/** Removes styles, table sizes and the wrapper round the content, which are not compared. */
const comparable = (html: string): string =>
  html
    .replaceAll(/<head\b[\s\S]*?<\/head>/g, '')
    .replaceAll(/\s+(style|data-id|cellpadding|cellspacing|border|role|width|height)="[^"]*"/gi, '')
    .replaceAll(/\s*\/>/g, '>')
    .replaceAll(/(<!DOCTYPE[^>]*>)/g, '')
    .replaceAll(/<\/?(html|body)\b[^>]*>/g, '');

/** Recorded e-mails that are not compared, and why. */
const notCompared: Record<string, string> = {
  'layout-block-in-block':
    'the recorded renderer escapes the content; that of the product does not',
  'block-not-sanitized': 'a script link is written by the recorded renderer, and left out here',
  'editor-html-with-json-body': 'the body is converted when the workflow is stored',
  'editor-block-with-html-body': 'the body is emptied when the workflow is stored',
  'heading-level-4': 'the recorded message is that of a crash',
};

const emails = recorded.emails as RecordedEmail[];
const known = emails.filter(
  ({ name, overrides }) => overrides === undefined && !Object.hasOwn(notCompared, name),
);

describe('an e-mail is rendered like that of the recorded server', () => {
  it.each(known.filter(({ html }) => html !== undefined))('$name', (email) => {
    expect(comparable(rendered(email))).toBe(comparable(email.html ?? ''));
  });
});

describe('an e-mail fails like that of the recorded server', () => {
  it.each(known.filter(({ message }) => message !== undefined))('$name', (email) => {
    const { message = '' } = email;
    // A value that breaks the JSON of the control values.
    if (/invalid controls syntax/.test(message)) {
      expect(() => rendered(email)).toThrow(ControlSyntaxError);
    } else {
      const reason = message.replace(/^.*?`email`: /, '').replaceAll('\\"', '"');
      expect(() => rendered(email)).toThrow(reason);
    }
  });
});

describe('an e-mail', () => {
  const node = (type: string, attrs: object, content: object[] = []) =>
    JSON.stringify({ type: 'doc', content: [{ type, attrs, content }] });
  const render = (body: string, more: { layout?: { body: string }; sanitize?: boolean } = {}) =>
    renderEmail({ body, sanitize: true, variables: {}, place, ...more });

  it('fails with a heading of an unknown level', () => {
    expect(() => render(node('heading', { level: 4 }))).toThrow(
      'Heading level 4 is not supported.',
    );
  });

  it('has its content as HTML in a layout of blocks', () => {
    const layout = {
      body: node('paragraph', {}, [{ type: 'variable', attrs: { id: 'content' } }]),
    };
    expect(render('<b>bold</b>', { layout })).toContain('<p><b>bold</b></p>');
  });

  it('never has a link that runs a script', () => {
    const marks = [{ type: 'link', attrs: { href: ' javascript:alert(1)' } }];
    const body = node('paragraph', {}, [{ type: 'text', text: 'x', marks }]);
    const html = render(body, { sanitize: false });
    expect(html).toContain('x</');
    expect(html).not.toContain('javascript');
  });
});
