// Mistakes in files, each with its place.
import { usageError } from '../core/errors.ts';
import { pathText } from '../core/text.ts';

export interface FileProblem {
  /** Relative to the folder. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  /** `steps[0].type`, or empty. */
  path: string;
  message: string;
}

/** Creates the problems of a file. `place` is `line:column`. */
export const createProblems = (file: string) => {
  const at = (place: string, path: readonly PropertyKey[], message: string): FileProblem => {
    const [line = 1, column = 1] = place.split(':').map(Number);
    return { file, line, column, path: pathText(path), message };
  };
  return {
    at,
    /** A syntax error, `line:column: message`. */
    ofSyntax: (error: string): FileProblem => {
      const [, place = '1:1', message = error] = /^(\d+:\d+): (.*)$/s.exec(error) ?? [];
      return at(place, [], message);
    },
  };
};

/** `file:line:column: path message` */
export const problemText = ({ file, line, column, path, message }: FileProblem): string =>
  `${file}:${line}:${column}: ${path === '' ? '' : `${path} `}${message}`;

export const invalidFilesError = (shownAs: string, problems: readonly FileProblem[]) =>
  usageError(
    `${shownAs} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}.`,
    {
      fieldErrors: problems.map((problem) => ({ field: '', message: problemText(problem) })),
    },
  );
