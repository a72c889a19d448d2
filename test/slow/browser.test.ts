// Commands that open a browser start a program with the address as its only argument.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { inTerminal } from '../support/terminal.ts';

/** Puts an `xdg-open` into PATH that records its arguments, one a line, and exits with `code`. */
function fakeBrowser({ folder }: Home, code = 0) {
  const bin = path.join(folder, 'bin');
  const record = path.join(folder, 'opened');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    path.join(bin, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${record}'\nexit ${code}\n`,
  );
  chmodSync(path.join(bin, 'xdg-open'), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':9' },
    opened: () => readFileSync(record, 'utf8').trim().split('\n'),
  };
}

it('svc sandbox open starts the browser with a link that works once', async () => {
  const home = openHome();
  const { baseUrl } = await useSandbox(home);
  const { env, opened } = fakeBrowser(home);
  const { code, stdout } = await home.svc(['sandbox', 'open', '--json'], {
    env: { ...home.env, ...env },
  });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    opened: true,
    profile: 'sandbox',
  });
  const [count, url = ''] = opened();
  expect(count).toBe('1');
  expect(url.startsWith(`${baseUrl}/page/open?link=`)).toBe(true);
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url)).status).toBe(403);
});

it('svc sandbox open prints the link if the browser does not start', async () => {
  const home = openHome();
  const { baseUrl } = await useSandbox(home);
  const { env } = fakeBrowser(home, 3);
  for (const variables of [env, { PATH: '/nonexistent', DISPLAY: ':9' }]) {
    const { code, stdout } = await home.svc(['sandbox', 'open'], {
      env: { ...home.env, ...variables },
    });
    expect(code).toBe(0);
    expect(stdout.startsWith(`${baseUrl}/page/open?link=`)).toBe(true);
  }
});

it('svc workflows preview --open starts the browser with the address of the file', async () => {
  const home = openHome();
  await useSandbox(home);
  const { env, opened } = fakeBrowser(home);
  const TMPDIR = path.join(home.folder, "it's a folder; $(touch x)");
  mkdirSync(TMPDIR);
  const { code, stdout } = await home.svc(['workflows', 'preview', 'welcome', '--open'], {
    env: { ...home.env, ...env, TMPDIR },
  });
  expect(code).toBe(0);
  const [count, url = ''] = opened();
  expect(count).toBe('1');
  expect(fileURLToPath(url)).toBe(stdout.trim());
});

it('svc demo offers the page on a terminal, and ends after it', async () => {
  const home = openHome();
  const { env, opened } = fakeBrowser(home);
  const terminal = inTerminal(home, 'svc demo --quiet', { env });
  await terminal.shows('Do you want to see the captured messages in the browser?');
  terminal.types('y\r');
  await terminal.shows('Press Enter to end the tour.');
  expect((await fetch(opened()[1] ?? '')).status).toBe(200);
  terminal.types('\r');
  const { code, screen } = await terminal.ended();
  expect(code).toBe(0);
  expect(screen).toContain('The tour is over.');
}, 60_000);

it('svc demo ends without opening the page after a no', async () => {
  const terminal = inTerminal(openHome(), 'svc demo --quiet');
  await terminal.shows('Do you want to see the captured messages in the browser?');
  terminal.types('\r');
  const { code, screen } = await terminal.ended();
  expect(code).toBe(0);
  expect(screen).toContain('The tour is over.');
}, 60_000);
