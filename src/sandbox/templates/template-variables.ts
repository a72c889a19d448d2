// The variables that a template reads, found as the service finds them: in the expressions of outputs, and in the text
// of some tags. Variables that the template itself sets are left out.

import type { ParsedTemplate } from './liquid.ts';

export interface Reference {
  name: string;
  /** Members of the items that the filter `toSentence` prints. */
  members: string[];
  /** The expression is not a variable. */
  mistake?: string;
  /** An argument of a filter is not valid. */
  filterMistake?: string;
}

interface Token {
  kind: number;
  input: string;
  begin: number;
  end: number;
  content?: unknown;
  props?: Token[];
}
interface Filter {
  name: string;
  args: (Token | unknown[])[];
}
interface Value {
  initial?: { postfix: Token[] };
  filters: Filter[];
}
interface Branch {
  value?: Value;
  values?: Token[];
  templates: Template[];
}
interface Template {
  token: Token & { name?: string };
  value?: Value;
  branches?: Branch[];
  templates?: Template[];
  elseTemplates?: Template[];
}

/** The kinds of tokens of the library. */
const kinds = { tag: 4, output: 8, access: 128, word: 256 };

export function referencesIn(templates: readonly ParsedTemplate[]): Reference[] {
  const references: Reference[] = [];
  visit(templates as unknown as Template[], new Set(), (reference, locals) => {
    const isLocal = [...locals].some(
      (local) => reference.name === local || reference.name.startsWith(`${local}.`),
    );
    if (!isLocal || reference.mistake || reference.filterMistake) references.push(reference);
  });
  return references;
}

type Add = (reference: Reference, locals: ReadonlySet<string>) => void;

function visit(templates: readonly Template[], locals: Set<string>, add: Add): void {
  for (const template of templates) {
    if (template.token.kind === kinds.output) add(toReference(template), locals);
    else if (template.token.kind === kinds.tag) visitTag(template, locals, add);
  }
}

const tokenText = ({ input, begin, end }: Token) => input.slice(begin, end);

function toReference({ token, value }: Template): Reference {
  const postfix = value?.initial?.postfix ?? [];
  const isVariable = postfix[0]?.props !== undefined;
  if (isVariable && postfix.length > 1)
    return { name: tokenText(token), members: [], mistake: 'contains whitespaces' };
  const name = isVariable ? variableName(postfix[0]) : '';
  const sentences = (value?.filters ?? []).filter((filter) => filter.name === 'toSentence');
  const isOfDigest = /^steps\..+\.events$/.test(name);
  const [filterMistake] = sentences.flatMap(({ args }) => sentenceMistake(args, isOfDigest) ?? []);
  if (filterMistake !== undefined) return { name, members: [], filterMistake };
  const members = sentences.flatMap(({ args: [first] }) =>
    first && 'content' in first && typeof first.content === 'string' ? [first.content] : [],
  );
  return { name, members };
}

/** `payload.items[2].name` from its parts. */
const variableName = (token: Token | undefined): string =>
  (token?.props ?? []).reduce((name, { content }, index) => {
    if (typeof content === 'number') return `${name}[${content}]`;
    return index === 0 ? String(content) : `${name}.${content}`;
  }, '');

/** The text of a tag after its name. A tag that begins with `{%-` is not read. */
const tagExpression = ({ token }: Template): string | undefined =>
  new RegExp(`^\\{%\\s*${token.name}\\s+(.+?)\\s*%\\}`).exec(tokenText(token))?.[1];

function visitTag(template: Template, locals: Set<string>, add: Add): void {
  const addAll = (names: Iterable<string>, knownNames: ReadonlySet<string> = locals) => {
    for (const name of new Set(names)) add({ name, members: [] }, knownNames);
  };
  const expression = tagExpression(template);
  switch (template.token.name) {
    case 'for':
    case 'tablerow': {
      const [, item, list] = /^(\w+)\s+in\s+(.+)$/.exec(expression ?? '') ?? [];
      if (item === undefined || list === undefined) return;
      addAll(namesInList(list));
      const loop = `${template.token.name}loop`;
      visit(template.templates ?? [], new Set([...locals, item, loop]), add);
      return;
    }
    case 'if':
    case 'unless':
    case 'case':
      if (expression !== undefined) addAll(namesIn(expression));
      for (const { value, values = [], templates } of template.branches ?? []) {
        const name = variableName(value?.initial?.postfix[0]);
        if (name !== '') addAll([name]);
        const choices = values.filter(({ kind }) => kind === kinds.access || kind === kinds.word);
        addAll(choices.map(tokenText));
        visit(templates, locals, add);
      }
      visit(template.elseTemplates ?? [], locals, add);
      return;
    case 'assign': {
      const [, name, value] =
        /^\{%-?\s*assign\s+(\w+)\s*=\s*(.+?)\s*-?%\}/.exec(tokenText(template.token)) ?? [];
      if (name === undefined || value === undefined) return;
      locals.add(name);
      addAll(namesIn(value));
      return;
    }
    case 'capture':
      if (expression === undefined || !/^\w+$/.test(expression)) return;
      visit(template.templates ?? [], new Set([...locals, expression]), add);
      locals.add(expression);
  }
}

/** The variables of `payload.items` or `(1..payload.count)`. */
function namesInList(list: string): string[] {
  const [, start, end] = /^\((.+?)\.\.(.+?)\)$/.exec(list.trim()) ?? [];
  if (start !== undefined && end !== undefined)
    return [start, end].filter((side) => !/^\d+$/.test(side.trim())).flatMap(namesIn);
  const name = variableIn(list);
  return name === undefined ? [] : [name];
}

const keywords = new Set('true false null nil and or not contains eq ne lt le gt ge'.split(' '));

/** Names of two or more characters outside of quotes; filters are not names. */
function namesIn(condition: string): string[] {
  const text = condition
    .replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, ' "" ')
    .replaceAll(/\|\s*[a-zA-Z_]\w*(?:\s*:[^|%}]*)?/g, '');
  const names = text.match(/[a-zA-Z_][\w[\].-]+/g) ?? [];
  return names.filter((name) => !keywords.has(name.toLowerCase()));
}

/** The variable that an expression consists of, apart from filters. */
export function variableIn(expression: string): string | undefined {
  const [name = ''] = expression.split('|');
  return /^[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*(?:\[\d+\])*$/.exec(name.trim())?.[0];
}

// Checks the arguments of the filter `toSentence`, with the messages of the service.

type Argument = Omit<Token, 'props'>;

const names = ['keyPath', 'limit', 'overflowSuffix', 'wordsConnector', 'twoWordsConnector'];
/** The kinds of tokens of the library with a value. */
const literals = new Set([1, 1024]);

/** Returns the first mistake. The items of a digest are objects, so they need a path. */
function sentenceMistake(
  args: readonly (Argument | unknown[])[],
  isOfDigest: boolean,
): string | undefined {
  if (args.length === 0) return 'Expected at least 1 argument';
  for (const [index, name] of [...names, 'lastWordConnector'].entries()) {
    const argument = args[index];
    // A named argument is a pair.
    if (argument === undefined || Array.isArray(argument)) continue;
    const value = argumentValue(argument as Argument);
    const problem = name === 'limit' ? limitProblem(value) : textProblem(value);
    if (problem) return mistake(problem, name);
    if (name === 'keyPath' && isOfDigest && value === '') return mistake('must be non-empty', name);
  }
  return undefined;
}

const mistake = (problem: string, name: string) =>
  `"toSentence" expects a string that ${problem} for argument "${name}"`;

/** A variable counts as its text. */
const argumentValue = ({ kind, content, input, begin, end }: Argument): unknown =>
  literals.has(kind) ? content : input.slice(begin, end);

function limitProblem(value: unknown): string | undefined {
  if (typeof value !== 'number') return 'Expected number, received string';
  return value >= 0 ? undefined : 'must be greater than or equal to 0';
}

const textProblem = (value: unknown) =>
  typeof value === 'string' ? undefined : 'Expected string, received number';
