// Measurements, and the sections of bench/RESULTS.md in which they are published.
import { readFileSync, writeFileSync } from 'node:fs';

export interface Measurement {
  name: string;
  figure: string;
  goal?: string;
  /** Whether the goal is met. */
  isMet?: boolean;
}

export type Report = (measurement: Measurement) => void;

/** Returns the measurements as a Markdown table. */
export function formatTable(all: readonly Measurement[]): string {
  const rows = all.map(
    ({ name, figure, goal = '', isMet }) =>
      `| ${name} | ${figure} | ${goal}${isMet === undefined ? '' : isMet ? ', met' : ', **missed**'} |`,
  );
  return ['| Measurement | Result | Goal |', '| ---- | ------ | ---- |', ...rows].join('\n');
}

/** Replaces the text in RESULTS.md between `<!-- name -->` and `<!-- /name -->`. */
export function replaceSection(name: string, text: string): void {
  const file = 'bench/RESULTS.md';
  const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(section, (_all, begin, end) => `${begin}${text}${end}`),
  );
}
