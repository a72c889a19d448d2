// Plays the scenes of the pictures of README and docs/ on a terminal of 80 columns.
import { statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { scenes } from '../../scripts/pictures/scenes.ts';
import { drawSvg } from '../../scripts/pictures/svg.ts';
import { playScene } from '../../scripts/pictures/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });

it.each(scenes.map((scene) => [scene.name, scene] as const))(
  '%s can be made: every command exits with the code that its scene names',
  async (name, scene) => {
    const lines = await playScene(scene);
    expect(lines.length).toBeGreaterThan(5);
    const svg = drawSvg(lines, 'dark');
    expect(svg).toContain(`<title>$ ${scene.lines[0]?.command.split('\n')[0]}</title>`);
    // A picture of the same kind has been made with `npm run pictures`.
    for (const theme of ['light', 'dark'])
      expect(statSync(`docs/pictures/${name}-${theme}.svg`).size).toBeGreaterThan(svg.length / 4);
  },
);

it('a command that exits with another code fails', async () => {
  const scene = { name: 'x', lines: [{ command: 'svc topics get nowhere' }] };
  await expect(playScene(scene)).rejects.toThrow('svc topics get nowhere exits with 5');
});
