// Quotes text for a shell, for commands in messages.

/** In single quotes. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As one word, quoted only if necessary. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
