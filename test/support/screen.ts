// Renders text on an emulated terminal: its screen, and other effects such as titles and clipboard writes.
import xterm from '@xterm/headless';

export interface Screen {
  /** The lines, including the scrollback, without trailing spaces. */
  lines: string[];
  /** Whether a line continues the line above. */
  wrapped: boolean[];
  cursor: { x: number; y: number };
  /** Window titles, clipboard writes, links, bells and replies to the program. */
  effects: string[];
  /** Cells that are not plain text: `line:column`. */
  styled: string[];
  /** Returns the column where a text starts in a line, or -1. */
  columnOf(line: number, text: string): number;
}

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  /** Use the character widths of newer terminals: emoji are wide, joined characters are one. */
  modern?: boolean;
}

/** Renders the output of a pseudo-terminal on an empty screen. */
export async function onScreen(
  written: string,
  { columns = 80, rows = 24, modern = false }: ScreenOptions = {},
): Promise<Screen> {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  if (modern) {
    terminal.unicode.register(modernWidths);
    terminal.unicode.activeVersion = modernWidths.version;
  }
  const effects: string[] = [];
  terminal.onTitleChange((title) => effects.push(`title ${title}`));
  terminal.onBell(() => effects.push('bell'));
  terminal.onData((data) => effects.push(`reply ${JSON.stringify(data)}`));
  for (const kind of [8, 52, 4, 10, 11, 12, 104]) {
    terminal.parser.registerOscHandler(kind, (data) => effects.push(`OSC ${kind} ${data}`) > 0);
  }
  await new Promise<void>((done) => terminal.write(written, done));
  const { active } = terminal.buffer;
  const all = Array.from({ length: active.length }, (_unused, y) => active.getLine(y));
  const styled = all.flatMap((line, y) =>
    Array.from({ length: columns }, (_unused, x) => line?.getCell(x))
      .map((cell, x) => (cell === undefined || cell.isAttributeDefault() ? '' : `${y}:${x}`))
      .filter((place) => place !== ''),
  );
  const lines = all.map((line) => line?.translateToString(true) ?? '');
  while (lines.at(-1) === '') lines.pop();
  const screen = {
    lines,
    wrapped: all.map((line) => line?.isWrapped === true),
    cursor: { x: active.cursorX, y: active.baseY + active.cursorY },
    effects,
    styled,
    columnOf: (y: number, text: string) => {
      for (let x = 0; x < columns; x += 1) {
        if (all[y]?.translateToString(true, x).startsWith(text) && all[y]?.getCell(x)?.getWidth())
          return x;
      }
      return -1;
    },
  };
  return screen;
}

const joiner = 0x200d;
const isFlag = (code: number) => code >= 0x1f1e6 && code <= 0x1f1ff;

/** Emoji are wide; joiners, modifiers, selectors and marks belong to the character before them. */
const modernWidths = {
  version: 'modern',
  wcwidth(code: number): 0 | 1 | 2 {
    const character = String.fromCodePoint(code);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
    if (code >= 0xff61 && code <= 0xffdc) return 1;
    if (/[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}]/u.test(character)) return 0;
    const wide =
      /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
    return wide.test(character) || (code >= 0xff01 && code <= 0xff60) ? 2 : 1;
  },
  charProperties(code: number, preceding: number): number {
    const before = (preceding >> 1) & 3;
    const joined = preceding >> 3 === joiner || (isFlag(code) && isFlag(preceding >> 3));
    const own = this.wcwidth(code);
    const joins = before > 0 && (own === 0 || joined);
    const width = joins ? (code === 0xfe0f ? 2 : before) : own;
    return (code << 3) | (width << 1) | (joins ? 1 : 0);
  },
};
