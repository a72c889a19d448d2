// Commands that open a browser start a program with the address of a private file as its only argument.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { fileMode } from '../support/file-mode.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { inTerminal, type OnTerminal } from '../support/terminal.ts';
import { openUnprivilegedHome } from '../support/unprivileged-home.ts';

/** Puts an `xdg-open` into PATH that records its arguments, one a line, and its variables, and exits with `code`. */
function fakeBrowser({ folder }: Home, code = 0) {
  const bin = path.join(folder, 'bin');
  const record = path.join(folder, 'opened');
  const variables = path.join(folder, 'variables');
  const TMPDIR = path.join(folder, 'temporary');
  mkdirSync(bin, { recursive: true });
  mkdirSync(TMPDIR);
  writeFileSync(
    path.join(bin, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${record}'\nenv > '${variables}'\nexit ${code}\n`,
  );
  chmodSync(path.join(bin, 'xdg-open'), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':9', TMPDIR },
    opened: () => readFileSync(record, 'utf8').trim().split('\n'),
    variables: () => readFileSync(variables, 'utf8'),
    temporary: () => readdirSync(TMPDIR),
    TMPDIR,
  };
}

/** The link in the file that the browser opened. */
function linkIn(address: string): string {
  const html = readFileSync(fileURLToPath(address), 'utf8');
  return /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1] ?? '';
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
  const [count, address = ''] = opened();
  expect(count).toBe('1');
  const url = linkIn(address);
  expect(url.startsWith(`${baseUrl}/page/open?link=`)).toBe(true);
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url)).status).toBe(403);
});

it('svc sandbox open keeps the link out of the process list, and keys out of the variables of the browser', async () => {
  const home = openHome();
  const { baseUrl } = await useSandbox(home);
  const { env, opened, variables, temporary, TMPDIR } = fakeBrowser(home);
  const folder = (ageMs: number) => {
    const created = mkdtempSync(path.join(TMPDIR, 'svc-open-'));
    const time = new Date(Date.now() - ageMs);
    utimesSync(created, time, time);
    return path.basename(created);
  };
  const [old, recent] = [folder(61_000), folder(30_000)];
  const given = { SVC_API_KEY: 'f'.repeat(32), SVC_BASE_URL: baseUrl, GITHUB_TOKEN: 'ghp_1' };
  const { code } = await home.svc(['sandbox', 'open', '-p', 'sandbox'], {
    env: { ...home.env, ...env, ...given, XDG_ACTIVATION_TOKEN: 'focus', LANG: 'C.UTF-8' },
  });
  expect(code).toBe(0);
  const [, address = ''] = opened();
  expect(address).toMatch(/^file:.*\/svc-open-\w{6}\/open\.html$/);
  const file = fileURLToPath(address);
  expect(fileMode(file)).toBe('600');
  expect(fileMode(path.dirname(file))).toBe('700');
  expect(variables()).not.toMatch(/^(SVC_|GITHUB_TOKEN)/m);
  expect(variables()).toMatch(/^LANG=C.UTF-8$/m);
  expect(variables()).toMatch(/^XDG_ACTIVATION_TOKEN=focus$/m);
  expect(temporary()).not.toContain(old);
  expect(temporary()).toContain(recent);
});

it('svc sandbox open prints the link if the browser does not start', async () => {
  const home = openHome();
  const { baseUrl } = await useSandbox(home);
  const { env, temporary, TMPDIR } = fakeBrowser(home, 3);
  for (const variables of [
    env,
    { ...env, PATH: '/nonexistent' },
    { ...env, TMPDIR: path.join(TMPDIR, 'missing') },
  ]) {
    const { code, stdout } = await home.svc(['sandbox', 'open'], {
      env: { ...home.env, ...variables },
    });
    expect(code).toBe(0);
    expect(stdout.startsWith(`${baseUrl}/page/open?link=`)).toBe(true);
    expect(temporary()).toEqual([]);
  }
});

it('svc sandbox start --open opens the page, and prints another link in every format', async () => {
  const home = openHome();
  const { env, opened } = fakeBrowser(home);
  const line = ['sandbox', 'start', '--in-memory', '--port', '0', '--detach', '--open', '--json'];
  const { code, stdout, stderr } = await home.svc(line, { env: { ...home.env, ...env } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { url } = JSON.parse(stdout);
  const openedUrl = linkIn(opened()[1] ?? '');
  expect(openedUrl).not.toBe(url);
  for (const link of [openedUrl, url]) expect((await fetch(link)).status).toBe(200);
  const withoutBrowser = await home.svc(['sandbox', 'start', '--reuse', '--open']);
  expect(withoutBrowser.stdout).toMatch(/^url\thttp:\S+link=[\w-]{22}$/m);
  expect(withoutBrowser.stderr).toBe(
    'Warning: No browser could be started. Open the link above in a browser within a minute.\n',
  );
  await home.svc(['sandbox', 'stop']);
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

/** Presses Enter before each of the five chapters. */
async function playChapters({ shows, types }: OnTerminal) {
  for (const chapter of [1, 2, 3, 4, 5]) {
    await shows(`Press Enter for chapter ${chapter} of 5`);
    types('\r');
  }
  await shows('Keep the sandbox');
}

it('svc demo has five chapters on a terminal, opens the page, and can keep the sandbox', async () => {
  const home = openHome();
  const { env, opened } = fakeBrowser(home);
  const terminal = inTerminal(home, 'svc demo --quiet', { env });
  await playChapters(terminal);
  expect((await fetch(linkIn(opened()[1] ?? ''))).status).toBe(200);
  terminal.types('y\r');
  await terminal.shows('export SVC_API_KEY=');
  const [, baseUrl = ''] = /SVC_BASE_URL=(\S+)/.exec(terminal.screen()) ?? [];
  expect((await fetch(baseUrl)).status).toBeGreaterThan(0);
  terminal.types('\x03');
  const { screen } = await terminal.ended();
  expect(screen).toContain('The tour is over.');
  await expect(fetch(baseUrl)).rejects.toThrow();
}, 60_000);

it('svc demo opens no page in CI, without a browser and in a pipe, and does not wait there', async () => {
  const home = openHome();
  const { env, opened } = fakeBrowser(home);
  const inCi = await inTerminal(home, 'svc demo --quiet', { env: { ...env, CI: 'true' } }).ended();
  expect(inCi).toMatchObject({ code: 0, screen: expect.stringContaining('Chapter 5 of 5') });
  const inPipe = await inTerminal(home, 'svc demo --quiet | cat', { env }).ended();
  expect(inPipe).toMatchObject({ code: 0, screen: expect.stringContaining('Chapter 5 of 5') });
  expect(opened).toThrow('ENOENT');
  const terminal = inTerminal(openHome(), 'svc demo --quiet');
  await playChapters(terminal);
  terminal.types('\r');
  const { code, screen } = await terminal.ended();
  expect(code).toBe(0);
  expect(screen).toContain('The tour is over.');
}, 60_000);

it('svc workflows preview --open writes the file also to a temporary folder that cannot be listed', async () => {
  const { home, run } = await openUnprivilegedHome((opened) => {
    opened.env.TMPDIR = path.join(opened.folder, 'temporary');
    mkdirSync(opened.env.TMPDIR);
    return useSandbox(opened);
  });
  const folder = String(home.env.TMPDIR);
  chmodSync(folder, 0o300);
  const { code, stdout, stderr } = await run('workflows preview welcome --to u1 --open');
  chmodSync(folder, 0o700);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(path.dirname(path.dirname(stdout))).toBe(folder);
  expect(readFileSync(stdout.trim(), 'utf8')).toContain('Welcome');
});
