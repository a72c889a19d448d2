// `svc sandbox open` without a browser. test/e2e/browser.test.ts starts one.
import { expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';

const link = /^http:\/\/sandbox\.localhost\/page\/open\?link=[\w-]{22}\n$/;
const note = 'Open this link in a browser within a minute. It works once.\n';

it('prints the link without a browser', async () => {
  const { svc } = await openRig({ page: true });
  const { code, stdout, stderr, requests } = await svc(['sandbox', 'open']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: note });
  expect(stdout).toMatch(link);
  expect(requests.map(({ line }) => line)).toContain('POST /__sandbox/page');
  const onTerminal = await svc(['sandbox', 'open'], { tty: true });
  expect(onTerminal).toMatchObject({ code: 0, stdout: expect.stringMatching(link), stderr: note });
});

it('does not start a browser with --no-browser', async () => {
  const { svc } = await openRig({ page: true });
  // With a display and no PATH, the start of a browser would fail after an attempt.
  const env = { DISPLAY: ':0' };
  const { code, stdout } = await svc(['sandbox', 'open', '--no-browser', '--json'], { env });
  expect(code).toBe(0);
  expect(parsed(stdout)).toEqual({
    url: expect.stringContaining('/page/open?link='),
    opened: false,
    profile: null,
  });
});

it('prints a new link each time', async () => {
  const { svc } = await openRig({ page: true });
  const [one, other] = [await svc(['sandbox', 'open']), await svc(['sandbox', 'open'])];
  expect(one.stdout).not.toBe(other.stdout);
});

it('explains why a sandbox has no page', async () => {
  const { svc } = await openRig();
  const { code, stdout, stderr } = await svc(['sandbox', 'open']);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(stderr).toContain('The sandbox has no page, because it does not listen on loopback only');
});
