// Checks what a step renders, as the service does before it delivers.
import { asObject } from '../../core/objects.ts';
import { InvalidStepError, type StepProblem } from './invalid-step.ts';

type Output = Record<string, unknown>;

/** Throws if an in-app message has an empty text or an address that cannot be opened. */
export function checkInApp(output: Output): void {
  const { avatar, primaryAction, secondaryAction, redirect } = output;
  report([
    ...emptyTexts(output, ['subject', 'body']),
    ...(typeof avatar === 'string' && !isUri(avatar)
      ? [problem('/avatar', 'must match format "uri"')]
      : []),
    ...urlProblems(redirect, '/redirect'),
    ...urlProblems(asObject(primaryAction).redirect, '/primaryAction/redirect'),
    ...urlProblems(asObject(secondaryAction).redirect, '/secondaryAction/redirect'),
  ]);
}

/** Throws if the subject of an e-mail is empty. */
export const checkEmail = (output: Output): void => report(emptyTexts(output, ['subject']));

function report(problems: StepProblem[]): void {
  if (problems.length > 0) throw new InvalidStepError('output', problems);
}

const problem = (path: string, message: string): StepProblem => ({ path, message });

const emptyTexts = (output: Output, names: readonly string[]): StepProblem[] =>
  names
    .filter((name) => output[name] === '')
    .map((name) => problem(`/${name}`, 'must NOT have fewer than 1 characters'));

const isUri = (text: string) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);

const urlPattern = '^(?!mailto:)(?:(https?):\\/\\/[^\\s/$.?#].[^\\s]*)|^(\\/[^\\s]*)$';

function urlProblems(redirect: unknown, path: string): StepProblem[] {
  const { url } = asObject(redirect);
  if (typeof url !== 'string' || new RegExp(urlPattern).test(url)) return [];
  return [problem(`${path}/url`, `must match pattern "${urlPattern}"`)];
}
