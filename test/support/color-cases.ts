// Cases of the tests of colors, such as `FORCE_COLOR=1 --no-color stored always`.

/** Splits a case into variables, options and stored setting. */
export function parseColorCase(given: string) {
  const words = given.split(' ').filter((word) => word !== '');
  const at = words.indexOf('stored');
  const stored = at < 0 ? undefined : words.splice(at, 2)[1];
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(variables.map((word) => word.split('=')));
  return { stored, env, options: words.filter((word) => !variables.includes(word)) };
}
