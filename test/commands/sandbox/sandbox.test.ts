// Tests the errors of the sandbox commands. test/e2e tests what they do, on the built program.
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';

describe('svc sandbox', () => {
  it.each([['status'], ['stop'], ['reset', '--yes']])(
    '%s exits with 5 when no sandbox exists',
    async (...args) => {
      const { svc } = await openRig({ bare: true });
      const { code, stderr, requests } = await svc(['sandbox', ...args]);
      expect({ code, requests }).toEqual({ code: 5, requests: [] });
      expect(stderr).toContain('svc sandbox start');
    },
  );

  it('refuses a profile that is not for a sandbox, before any request', async () => {
    const { svc } = await openRig({ bare: true });
    await svc(['login', '--base-url', baseUrl, '--with-key', '--profile', 'sandbox'], {
      stdin: testKey,
    });
    for (const args of [
      ['status', '-p', 'sandbox'],
      ['stop', '-p', 'sandbox'],
      ['reset', '--yes', '-p', 'sandbox'],
      ['start', '--in-memory', '--port', '0'],
    ]) {
      const { code, stderr, requests } = await svc(['sandbox', ...args]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain('which is not a sandbox');
    }
    expect(await svc(['sandbox', 'stop'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('No sandbox found.'),
      requests: [],
    });
  });
});
