// Applies a regular expression of a request, in limited time.
import { withinDeadline } from '../../core/bounded-regexp.ts';
import { badRequest } from '../values/http-error.ts';

/** Returns the texts that match in any letter case. Throws for an invalid or too slow expression. */
export function matchingTexts(pattern: string, texts: readonly string[]): string[] {
  const matching = withinDeadline(() => {
    const regExp = toRegExp(pattern);
    return regExp && texts.filter((text) => regExp.test(text));
  })?.value;
  if (matching) return matching;
  throw badRequest(`Regular expression is invalid or takes too long: ${pattern}`);
}

function toRegExp(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'i');
  } catch {
    return undefined;
  }
}
