// Parses a number of rows or a percentage of the rows, such as `20` or `5%`.

/** Undefined for another text, a fraction of a row, or more than 100%. */
export function readRowsOrPercent(
  text: string,
): { rows: number } | { percent: number } | undefined {
  const [, number, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const value = Number(number);
  if (sign === '%') return value <= 100 ? { percent: value } : undefined;
  return Number.isInteger(value) ? { rows: value } : undefined;
}
