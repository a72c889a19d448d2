// What the sandbox commands refuse; what they do is proved on the built program in test/e2e.
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';

describe('svc sandbox', () => {
  it.each([['status'], ['stop'], ['reset', '--yes']])(
    '%s is refused when there is no sandbox',
    async (...words) => {
      const { svc } = await openRig({ bare: true });
      const { code, stderr, requests } = await svc(['sandbox', ...words]);
      expect({ code, requests }).toEqual({ code: 5, requests: [] });
      expect(stderr).toContain('svc sandbox start');
    },
  );

  it('never touches a profile that is no sandbox', async () => {
    const { svc } = await openRig({ bare: true });
    await svc(['login', '--base-url', baseUrl, '--with-key', '--profile', 'sandbox'], {
      stdin: testKey,
    });
    for (const words of [
      ['status', '-p', 'sandbox'],
      ['stop', '-p', 'sandbox'],
      ['reset', '--yes', '-p', 'sandbox'],
      ['start', '--in-memory', '--port', '0'],
    ]) {
      const { code, stderr, requests } = await svc(['sandbox', ...words]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain('which is not a sandbox');
    }
    expect(await svc(['sandbox', 'stop'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('There is no sandbox.'),
      requests: [],
    });
  });
});
