// Checks the arguments of the filter `toSentence`, with the messages of the service.

interface Argument {
  kind: number;
  input: string;
  begin: number;
  end: number;
  content?: unknown;
}

const names = ['keyPath', 'limit', 'overflowSuffix', 'wordsConnector', 'twoWordsConnector'];
/** The kinds of tokens of the library with a value. */
const literals = new Set([1, 1024]);

/** Returns the first mistake. The items of a digest are objects, so they need a path. */
export function sentenceMistake(
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
