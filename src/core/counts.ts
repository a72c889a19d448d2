// Formats counts for messages.

/** `1,234,567`. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 row`, `2,000 rows`, `2 addresses`. */
export const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
