// One figure of a measurement, and the place where the figures are kept: sections of bench/RESULTS.md.
import { readFileSync, writeFileSync } from 'node:fs';

export interface Measured {
  name: string;
  figure: string;
  goal?: string;
  holds?: boolean;
}

export type Tell = (one: Measured) => void;

/** The figures as a Markdown table. */
export function tableOf(all: readonly Measured[]): string {
  const rows = all.map(
    ({ name, figure, goal = '', holds }) =>
      `| ${name} | ${figure} | ${goal}${holds === undefined ? '' : holds ? ', holds' : ', **missed**'} |`,
  );
  return ['| What | Figure | Goal |', '| ---- | ------ | ---- |', ...rows].join('\n');
}

/** Replaces what stands in RESULTS.md between `<!-- name -->` and `<!-- /name -->`. */
export function keepSection(name: string, text: string): void {
  const file = 'bench/RESULTS.md';
  const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(section, (_all, begin, end) => `${begin}${text}${end}`),
  );
}
