// Renders differences for people: one block per resource, with the changes of a workflow grouped by step.
import { diffArrays } from 'diff';
import { mayContainExactNumber, stringifyExact } from '../core/lossless-json.ts';
import { jsonOr, withoutUndefined } from '../core/objects.ts';
import type { Line, Span, Tone } from '../output/result.ts';
import { wrapLines } from '../output/wrap.ts';
import type { Change } from './compare.ts';

type Mark = '+' | '-' | '~';

interface DiffItem {
  mark: Mark;
  kind: string;
  id: string;
  /** Shown behind the id: the name, or a warning. */
  about?: string | undefined;
  changes: readonly Change[];
  /** Lines below the heading, such as the steps of a new workflow. */
  notes?: readonly string[] | undefined;
}

/** Without a terminal, a change that is longer than this is shown on several lines. */
const unwrappedWidth = 100;

/** `width`: the columns of a terminal; undefined if lines are not wrapped. */
export function renderDiff(items: readonly DiffItem[], width: number | undefined): Line[] {
  const room = width ?? unwrappedWidth;
  const blocks = items.map((item) => [
    heading(item),
    ...renderNotes(item),
    ...renderChanges(item, room),
  ]);
  // An empty line around blocks of several lines.
  const lines = blocks.flatMap((block, index) => {
    const isApart = index > 0 && block.length + (blocks[index - 1]?.length ?? 0) > 2;
    return isApart ? [[], ...block] : block;
  });
  return width === undefined ? lines : wrapLines(lines, width);
}

const tones: Record<Mark, Tone> = { '+': 'good', '-': 'bad', '~': 'warn' };

const marked = (indent: number, mark: Mark): Span => ({
  text: `${' '.repeat(indent)}${mark} `,
  tone: tones[mark],
});

const heading = ({ mark, kind, id, about }: DiffItem): Span[] => [
  marked(0, mark),
  { text: `${kind} ` },
  { text: id, tone: 'strong' },
  ...(about === undefined ? [] : [{ text: `  ${about}`, tone: 'muted' as const }]),
];

const renderNotes = ({ notes = [] }: DiffItem): Span[][] =>
  notes.map((text) => [{ text: `  ${text}` }]);

/** Changes of the same step come together, below the id of the step. */
function renderChanges({ changes }: DiffItem, room: number): Span[][] {
  const shownSteps = new Set<string>();
  return changes.flatMap((change) => {
    const step = /^steps\.([\w-]+)(?:\.(.*))?$/s.exec(change.path);
    if (!step) return renderChange(toShown(change), 4, room);
    const [, stepId = '', member] = step;
    if (member === undefined) return renderStep(stepId, change, room);
    const head = shownSteps.has(stepId) ? [] : [stepHeading('~', stepId)];
    shownSteps.add(stepId);
    const path = member.replace(/^controlValues\.?/, '') || member;
    return [...head, ...renderChange({ ...change, path }, 6, room)];
  });
}

/** Shows the order of steps as a list, and the values of a layout by their own names. */
function toShown({ path, from, to }: Change): Change {
  if (path !== 'steps' || !Array.isArray(from) || !Array.isArray(to))
    return { path: path.replace(/^controlValues\./, ''), ...withoutUndefined({ from, to }) };
  return { path: 'order of steps', from: from.join(', '), to: to.join(', ') };
}

const stepHeading = (mark: Mark, stepId: string, about = ''): Span[] => [
  marked(2, mark),
  { text: `step ${stepId}${about}` },
];

/** A step that is new or removed. The values of a new step are shown. */
function renderStep(stepId: string, { from, to }: Change, room: number): Span[][] {
  const { type, name, controlValues } = (to ?? from ?? {}) as Record<string, unknown>;
  const about = ` (${String(type)})${name === stepId ? '' : ` "${String(name)}"`}`;
  if (to === undefined) return [stepHeading('-', stepId, about)];
  const values = Object.entries((controlValues ?? {}) as object);
  return [
    stepHeading('+', stepId, about),
    ...values.flatMap(([path, value]) => renderChange({ path, to: value as unknown }, 6, room)),
  ];
}

function renderChange({ path, from, to }: Change, indent: number, room: number): Span[][] {
  const label = path === '' ? 'value' : path;
  const pad = ' '.repeat(indent);
  const mark: Mark = from === undefined ? '+' : to === undefined ? '-' : '~';
  const lead = (text: string): Span[] => [marked(indent - 2, mark), { text }];
  if (!isMultiline(from) && !isMultiline(to)) {
    const before = from === undefined ? '' : stringifyExact(from);
    const after = to === undefined ? '' : stringifyExact(to);
    const arrow = before !== '' && after !== '' ? ' → ' : '';
    if (indent + label.length + 4 + before.length + after.length + arrow.length <= room)
      return [
        [
          ...lead(`${label}: `),
          { text: before, tone: 'bad' },
          ...(arrow === '' ? [] : [{ text: arrow }]),
          { text: after, tone: 'good' },
        ],
      ];
  }
  if (from === undefined || to === undefined)
    return [
      lead(`${label}:`),
      ...(from === undefined
        ? wholeText(to, 'added', `${pad}  `)
        : wholeText(from, 'removed', `${pad}  `)),
    ];
  const lines = diffLines(...comparableTexts(from, to));
  return [lead(`${label}:`), ...lines.map((line) => renderLine(line, `${pad}  `))];
}

/** At most this many lines of a new or removed text are shown. */
const maxWholeLines = 12;

function wholeText(value: unknown, kind: 'added' | 'removed', pad: string): Span[][] {
  const lines = readableText(value).split('\n');
  const rest = lines.length - maxWholeLines;
  const first = rest > 1 ? lines.slice(0, maxWholeLines) : lines;
  return [
    ...first.map((text) => renderLine({ kind, text }, pad)),
    ...(rest > 1 ? [[{ text: `${pad}… ${rest} more lines`, tone: 'muted' as const }]] : []),
  ];
}

function renderLine({ kind, text }: DiffLine, pad: string): Span[] {
  if (kind === 'gap') return [{ text: `${pad}… ${text} unchanged lines`, tone: 'muted' }];
  if (kind === 'same') return [{ text: `${pad}  ${text}`, tone: 'muted' }];
  return kind === 'added'
    ? [{ text: `${pad}+ ${text}`, tone: 'good' }]
    : [{ text: `${pad}- ${text}`, tone: 'bad' }];
}

const isMultiline = (value: unknown) => typeof value === 'string' && /[\r\n]/.test(value);

// Formats values for a diff: short ones on one line, documents and long HTML on several.

/** HTML lines longer than this are shown with one element per line. */
const longLine = 72;

/**
 * The texts of two values for comparing them line by line. They are reformatted only as far as the difference stays
 * visible.
 */
function comparableTexts(from: unknown, to: unknown): [string, string] {
  const readable = [readableText(from), readableText(to)] as const;
  return readable[0] === readable[1] ? [rawText(from), rawText(to)] : [...readable];
}

/** A value on as many lines as it is readable on. */
function readableText(value: unknown): string {
  const text = rawText(value);
  const document = typeof value === 'string' ? parsedDocument(value) : undefined;
  if (document !== undefined) return stringifyExact(document, 2);
  const isLongHtml = text.split('\n').some((line) => line.length > longLine) && text.includes('><');
  return (isLongHtml ? text.replaceAll('><', '>\n<') : text).replaceAll('\t', '    ');
}

function rawText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const short = stringifyExact(value);
  return short.length <= longLine ? short : stringifyExact(value, 2);
}

/** A block document, or other JSON in a text; undefined if parsing could change its numbers. */
function parsedDocument(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || mayContainExactNumber(text)) return undefined;
  return jsonOr(text, undefined);
}

// The lines that differ between two texts, with a few unchanged lines around them.

interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'gap';
  text: string;
}

/** With more changed lines, the texts are shown as replaced: finding what they share would take too long. */
const maxChangedLines = 4_000;

/** `gap` stands for unchanged lines that are left out; its text is their number. */
export function diffLines(before: string, after: string, context = 2): DiffLine[] {
  // Carriage returns stay, so that another kind of line break is a difference.
  const [a, b] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(a, b, { maxEditLength: maxChangedLines }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  const lines = parts.flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  );
  return withGaps(lines, context);
}

/** Replaces unchanged lines that are further than `context` from a change. */
function withGaps(lines: readonly DiffLine[], context: number): DiffLine[] {
  const isNear = lines.map((_line, index) =>
    lines
      .slice(Math.max(0, index - context), index + context + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const near: DiffLine[] = [];
  let hidden: DiffLine[] = [];
  const flush = () => {
    // One line takes no more room than the note that it is left out.
    if (hidden.length === 1) near.push(...hidden);
    else if (hidden.length > 1) near.push({ kind: 'gap', text: String(hidden.length) });
    hidden = [];
  };
  for (const [index, line] of lines.entries()) {
    if (!isNear[index]) {
      hidden.push(line);
      continue;
    }
    flush();
    near.push(line);
  }
  flush();
  return near;
}
