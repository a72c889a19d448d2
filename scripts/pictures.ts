// `npm run pictures`: makes the pictures of README and docs/ with the built program.
import { mkdirSync, writeFileSync } from 'node:fs';
import { picturesOfPage } from './pictures/page.ts';
import { scenes } from './pictures/scenes.ts';
import { drawSvg, type Theme } from './pictures/svg.ts';
import { playScene } from './pictures/terminal.ts';

const folder = 'docs/pictures';
const themes: Theme[] = ['light', 'dark'];

mkdirSync(folder, { recursive: true });
for (const scene of scenes) {
  const lines = await playScene(scene);
  for (const theme of themes)
    writeFileSync(`${folder}/${scene.name}-${theme}.svg`, drawSvg(lines, theme));
}
for (const theme of themes)
  for (const [name, picture] of Object.entries(await picturesOfPage(theme)))
    writeFileSync(`${folder}/${name}-${theme}.png`, picture);
