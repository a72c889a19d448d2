// Draws the screen of a terminal as SVG, with the colors of a light or a dark page.
import { type Cell, columns } from './terminal.ts';

export type Theme = 'light' | 'dark';

const characterWidth = 8.4;
const lineHeight = 18;
const margin = 16;

interface Colors {
  background: string;
  border: string;
  text: string;
  dim: string;
  /** By index: red, green, yellow, blue, magenta, cyan. */
  palette: Record<number, string>;
}

const colors: Record<Theme, Colors> = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    text: '#1f2328',
    dim: '#59636e',
    palette: { 1: '#c21d2b', 2: '#116329', 3: '#7d4e00', 4: '#0550ae', 5: '#7b3fc4', 6: '#116d78' },
  },
  dark: {
    background: '#0d1117',
    border: '#3d444d',
    text: '#f0f6fc',
    dim: '#9198a1',
    palette: { 1: '#ff8a84', 2: '#6fdd8b', 3: '#e3b341', 4: '#79c0ff', 5: '#d2a8ff', 6: '#76d9e6' },
  },
};

export function drawSvg(lines: readonly Cell[][], theme: Theme): string {
  const [title = []] = lines;
  const { background, border, text, dim, palette } = colors[theme];
  const width = Math.ceil(columns * characterWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const rules = [
    `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:${text};white-space:pre}`,
    '.b{font-weight:700}',
    `.d{fill:${dim}}`,
    ...Object.entries(palette).map(([index, color]) => `.c${index}{fill:${color}}`),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(textOfCells(title))}</title>`,
    `<style>${rules.join('')}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6" fill="${background}" stroke="${border}"/>`,
    ...lines.flatMap((line, row) => joinCells(line).map((run) => drawText(run, row))),
    '</svg>',
    '',
  ].join('\n');
}

const textOfCells = (cells: readonly Cell[]) =>
  cells
    .map(({ text }) => text)
    .join('')
    .trimEnd();

interface Run {
  column: number;
  text: string;
  style: string;
}

/** Neighboring cells of one style, without the spaces around words of other runs. */
function joinCells(line: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  line.forEach((cell, column) => {
    const style = formatStyle(cell);
    const last = runs.at(-1);
    // Two spaces separate columns, so each column has its own position.
    const isGap = last?.text.endsWith('  ') && cell.text !== ' ';
    if (last && last.style === style && !isGap) last.text += cell.text;
    else runs.push({ column, text: cell.text, style });
  });
  return runs.filter(({ text }) => text.trim() !== '');
}

const formatStyle = ({ color, isBold, isDim }: Cell) =>
  [
    ...(isBold ? ['b'] : []),
    // 8 is the gray that programs use for less important text.
    ...(isDim || color === 8 ? ['d'] : []),
    ...(color === undefined || color === 8 ? [] : [`c${color > 8 ? color - 8 : color}`]),
  ].join(' ');

function drawText({ column, text, style }: Run, row: number): string {
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  const x = rounded(margin + (column + start) * characterWidth);
  const y = margin + row * lineHeight + 13;
  const length = rounded(words.length * characterWidth);
  const named = style === '' ? '' : ` class="${style}"`;
  return `<text x="${x}" y="${y}" textLength="${length}"${named}>${escaped(words)}</text>`;
}

const rounded = (value: number) => Math.round(value * 10) / 10;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
