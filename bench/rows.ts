// The kinds of rows that imports are measured with: plain ones, and ones as other programs export them.
import { closeSync, openSync, writeSync } from 'node:fs';

export interface RowKind {
  name: string;
  columns: readonly string[];
  /** How many times as fast as the csv-parse pipeline the import must be. */
  minRatio: number;
  /** Returns row number `n` as a line of CSV. */
  line: (n: number) => string;
}

const fields = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'locale', 'timezone'];
const eightDigits = (n: number) => String(n).padStart(8, '0');
const address = (n: number) => [
  `first.last${n}@example.com`,
  `+1555${eightDigits(n)}`,
  'en-US',
  'Europe/Berlin',
];
const plainCells = (n: number) => [
  `user-${eightDigits(n)}`,
  `Firstname${n % 100}`,
  `Lastname${n % 1000}`,
  ...address(n),
];

const companies = ['Acme, Inc.', 'Nordwind GmbH', 'The "Blue" Shop', 'Miller & Sons', 'Initech'];
const streets = ['12 High Street', '7 rue de la Paix, 2nd floor', 'Hauptallee 99'];
const firstNames = ['Zoë', 'Jürgen', 'Søren', '結衣', 'Łukasz', 'Анна', 'José', 'Ada'];
const lastNames = ['Müller', '田中', 'Nuñez', 'Øberg', 'Černý', 'Иванова', 'García', 'Hopper'];
const cities = ['Köln', '京都', 'São Paulo', 'Kraków', 'Zürich 🎉', 'Berlin', 'Málaga'];

const pick = (all: readonly string[], n: number) => all[n % all.length] ?? '';
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
/** Quotes a cell if it must be quoted. */
const cellText = (cell: string) => (/[",\n]/.test(cell) ? quoted(cell) : cell);

const wideColumns = Array.from({ length: 24 }, (_unused, index) => `attribute_${index + 1}`);

export const rowKinds: readonly RowKind[] = [
  {
    name: 'plain',
    minRatio: 2,
    columns: [...fields, 'plan'],
    line: (n) => `${plainCells(n).join(',')},pro`,
  },
  {
    // Every cell is in quotes, and some contain commas or quotes.
    name: 'quoted',
    minRatio: 1.5,
    columns: [...fields, 'plan', 'company'],
    line: (n) => [...plainCells(n), 'pro', pick(companies, n)].map(quoted).join(','),
  },
  {
    name: 'multi-line',
    minRatio: 1.5,
    columns: [...fields, 'address', 'plan'],
    line: (n) => {
      const lines = `${pick(streets, n)}\n${n % 100_000} Springfield\nUSA`;
      return `${plainCells(n).join(',')},${quoted(lines)},pro`;
    },
  },
  {
    name: 'non-ASCII',
    minRatio: 1.5,
    columns: [...fields, 'city', 'plan'],
    line: (n) =>
      [
        `user-${eightDigits(n)}`,
        `${pick(firstNames, n)}`,
        pick(lastNames, n * 3),
        ...address(n),
        pick(cities, n),
        'pro',
      ].join(','),
  },
  {
    name: 'wide',
    minRatio: 1.5,
    columns: [...fields, 'company', ...wideColumns],
    line: (n) =>
      [
        ...plainCells(n),
        cellText(pick(companies, n)),
        ...wideColumns.map((_name, index) =>
          index % 3 === 0 ? String(n * index) : `value ${index}`,
        ),
      ].join(','),
  },
];

/** Writes a CSV file with a header and this number of rows. */
export function writeRows(file: string, { columns, line }: RowKind, rows: number): void {
  const descriptor = openSync(file, 'w');
  let text = `${columns.join(',')}\n`;
  for (let row = 0; row < rows; row += 1) {
    text += `${line(row)}\n`;
    if (text.length > 1_000_000) {
      writeSync(descriptor, text);
      text = '';
    }
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}
