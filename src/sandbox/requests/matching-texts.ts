// Applies a regular expression of a request, in limited time.
import { runInNewContext } from 'node:vm';
import { badRequest } from '../values/http-error.ts';

const timeoutMs = 500;

/** Returns the texts that match in any letter case. Throws for an invalid or too slow expression. */
export function matchingTexts(pattern: string, texts: readonly string[]): string[] {
  try {
    const code = 'texts.filter((text) => new RegExp(pattern, "i").test(text))';
    return [...runInNewContext(code, { pattern, texts: [...texts] }, { timeout: timeoutMs })];
  } catch {
    throw badRequest(`Regular expression is invalid or takes too long: ${pattern}`);
  }
}
