// `svc workflows preview --open`: the file that it writes. test/pages/preview.test.ts opens it in Chromium.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Mode } from '../../../src/service/mode.ts';
import { fileMode } from '../../support/file-mode.ts';
import { frozenNow } from '../../support/fixed.ts';
import { openRig, parsed } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

/** Writes a preview and returns its path and content. */
async function preview(args: readonly string[], options: Parameters<typeof openRig>[0] = {}) {
  const { svc } = await openRig(options);
  const ran = await svc(['workflows', 'preview', ...args, '--open']);
  const file = ran.stdout.trim();
  onTestFinished(() => rmSync(path.dirname(file), { recursive: true, force: true }));
  return { ...ran, file, html: readFileSync(file, 'utf8') };
}

it('writes one file that only the user can read, and prints its path without a browser', async () => {
  const { code, stderr, file } = await preview(['welcome', '--to', 'u1', '-f', 'product=svc']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(path.dirname(file)).toMatch(/svc-preview-\w{6}$/);
  expect(fileMode(file)).toBe('600');
  expect(fileMode(path.dirname(file))).toBe('700');
});

it('the file contains every message and loads nothing', async () => {
  const { html } = await preview(['welcome', '--to', 'u1', '-f', 'product=svc']);
  for (const text of ['Welcome, Ada!', 'Good to have you at svc.', 'Look around', 'Welcome to svc'])
    expect(html).toContain(text);
  const policy = /<meta http-equiv="content-security-policy" content="([^"]+)"/.exec(html)?.[1];
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy?.replaceAll('&#39;', "'")).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; script-src 'sha256-${hash}'`,
  );
  expect(html).toMatch(
    /<iframe title="E-mail: Welcome to svc" srcdoc="[^"]+" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"><\/iframe>/,
  );
  expect(html.split('<script')).toHaveLength(2);
  expect(html).not.toMatch(/<link|\ssrc="/);
});

it('shows a skipped step with its reason, and follows the mode of the server', async () => {
  const off = await preview(['welcome', '--to', 'u6', '-f', 'product=svc']);
  expect(off.code).toBe(0);
  expect(off.html).toContain('The preferences turn off email for the subscriber.');
  const args = ['trial-ending', '--to', 'u1', '-f', 'plan=pro'];
  const condition = /Its condition is (not )?met[^.]*\./;
  const reasonIn = async (mode: Mode) => condition.exec((await preview(args, { mode })).html)?.[0];
  expect(await reasonIn('novu')).toContain('Its condition is not met');
  expect(await reasonIn('specification')).toContain('Its condition is met');
});

it('shows the variables that are missing', async () => {
  expect((await preview(['welcome', '--to', 'u1'])).html).toContain(
    '<strong>Check the variables.</strong> missing: payload.product (body)',
  );
});

it('exits with 3 if a step cannot be rendered, and shows why', async () => {
  const { svc } = await openRig();
  const steps = JSON.stringify([
    {
      name: 'Mail',
      type: 'email',
      controlValues: { subject: 'S', body: '{{ payload.a | date: }}{% if %}' },
    },
  ]);
  await svc(
    words`api POST /v2/workflows --body {"name":"Broken","workflowId":"broken","steps":${steps}}`,
  );
  const { code, stdout, stderr } = await svc(words`workflows preview broken --open --json`);
  const { file } = parsed(stdout);
  onTestFinished(() => rmSync(path.dirname(String(file)), { recursive: true, force: true }));
  expect({ code, opened: parsed(stdout).opened }).toEqual({ code: 3, opened: false });
  expect(stderr).toContain('cannot be rendered');
  expect(readFileSync(String(file), 'utf8')).toContain('It cannot be rendered');
});

it('removes previews that are older than a day, and nothing else', async () => {
  const folder = (prefix: string, ageMs: number) => {
    const created = mkdtempSync(path.join(tmpdir(), prefix));
    onTestFinished(() => rmSync(created, { recursive: true, force: true }));
    mkdirSync(path.join(created, 'inner'));
    writeFileSync(path.join(created, 'preview.html'), '');
    utimesSync(created, new Date(), new Date(frozenNow - ageMs));
    return created;
  };
  const day = 86_400_000;
  const old = folder('svc-preview-', day + 60_000);
  const recent = folder('svc-preview-', day - 60_000);
  const other = folder('svc-other-', 9 * day);
  const link = path.join(tmpdir(), `svc-preview-link-${path.basename(other)}`);
  symlinkSync(other, link);
  onTestFinished(() => rmSync(link, { force: true }));
  await preview(['welcome']);
  expect(
    [old, recent, other, path.join(other, 'preview.html')].map((file) => existsSync(file)),
  ).toEqual([false, true, true, true]);
});
