// The width of a listing on a real terminal. test/output/widths.test.ts has all layouts.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { onScreen } from '../support/screen.ts';
import { json, openService } from '../support/service.ts';
import { inTerminal } from '../support/terminal.ts';

// A terminal with 0 columns reports no width.
it.each([0, 40, 80, 200])(
  'a listing is never wider than a terminal of %i columns',
  async (columns) => {
    const home = openHome();
    const data = ['plain', '日本語のお知らせ', 'Привет'].map((name, index) => ({
      _id: index.toString(16).padStart(24, 'f'),
      key: `topic-${index}`,
      name: name.repeat(9),
      createdAt: '2020-01-15T12:00:00.000Z',
      updatedAt: '2020-01-15T12:00:00.000Z',
    }));
    const { env } = await openService((_seen, response) =>
      json(response, 200, { data, next: null, previous: null, totalCount: data.length }),
    );
    const setUp = columns === 0 ? 'stty cols 0; ' : '';
    const { code, written } = await inTerminal(home, `${setUp}svc topics list`, {
      columns: columns || 80,
      env: { ...env, NO_COLOR: '1' },
    }).ended();
    expect(code).toBe(0);
    const screen = await onScreen(written, { columns: columns || 80 });
    expect(screen.wrapped).not.toContain(true);
    expect(screen.lines).toHaveLength(data.length + 1);
    const widest = Math.max(...screen.lines.map((line) => line.length));
    expect(widest).toBeGreaterThan((columns || 80) / 3);
  },
);
