// Recognizes a CSV file without a header line, and suggests the --columns option for it.

const isEmail = (cell: string) => /^\S+@\S+\.\S+$/.test(cell);
const isPhone = (cell: string) => /^\+\d[\d ()/.-]{5,}$/.test(cell);
const isNumber = (cell: string) => /^\d+$/.test(cell);

/** A hint if the header looks like a row of data; undefined if it does not. */
export function missingHeaderHint(header: readonly string[]): string | undefined {
  if (!header.some((cell) => isEmail(cell) || isPhone(cell) || isNumber(cell))) return undefined;
  return `The first line looks like a row of data. No header line? Use --columns ${guessColumns(header).join(',')}.`;
}

function guessColumns(cells: readonly string[]): string[] {
  const emailAt = cells.findIndex(isEmail);
  const phoneAt = cells.findIndex(isPhone);
  const idAt = cells.findIndex((_cell, index) => index !== emailAt && index !== phoneAt);
  return cells.map((_cell, index) => {
    if (index === emailAt) return 'email';
    if (index === phoneAt) return 'phone';
    return index === idAt ? 'id' : `data.column${index + 1}`;
  });
}
