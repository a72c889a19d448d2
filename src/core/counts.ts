// Formats counts for messages: `1 row`, `2,000 rows`.

/** `1,234,567`. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 row`, `2,000 rows`. */
export const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
