// Protects CSV cells that a spreadsheet would run as a formula with an apostrophe, and removes it again.

/** Adds an apostrophe to a text that a spreadsheet would run, also to one that has apostrophes before it. */
export const protectFormula = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;

/** Removes the apostrophe that `protectFormula` added. */
export const unprotectFormula = (text: string): string =>
  /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
