// Quotes text for a shell, for commands in messages, and splits such commands.

/** In single quotes. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As one word, quoted only if necessary. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);

export interface ShellWord {
  /** As in the command line. */
  quoted: string;
  text: string;
}

/** Splits a command line whose words `shellWord` has quoted. A quote without an end reaches to the end of the line. */
export const splitShellWords = (line: string): ShellWord[] =>
  (line.match(/(?:'[^']*'?|\\.?|[^\s'\\])+/gs) ?? []).map((quoted) => ({
    quoted,
    text: quoted.replaceAll(/'([^']*)'?|\\(.?)/gs, '$1$2'),
  }));
