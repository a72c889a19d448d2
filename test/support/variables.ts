// Environment variables for tests of empty and Boolean variables.
import { expect } from 'vitest';

const others = ['CI', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'https_proxy'];

const setAll = (names: readonly string[], text: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, text]));

/** Sets all Boolean variables to this text. */
export const setBooleans = (text: string) =>
  setAll(['SVC_READ_ONLY', 'SVC_NO_INPUT', 'SVC_DEBUG', 'SVC_QUIET', 'CI'], text);

/** Sets all variables that the help page lists, and others, to an empty text. */
export function emptyVariables(helpPage: string) {
  const listed = new Set(helpPage.match(/\bSVC_[A-Z_]+|\b[A-Z]+_PROXY\b|\$XDG_\w+/g));
  expect(listed.size).toBeGreaterThan(15);
  return setAll([...[...listed].map((name) => name.replace('$', '')), ...others], '');
}
