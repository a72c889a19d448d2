// Options that keep from harm: nothing in the clear, nothing written, nothing run by a spreadsheet.
import { describe, expect, it } from 'vitest';
import { testKey } from '../support/fixed.ts';
import { openRig } from '../support/rig.ts';

describe('http:// beyond this machine', () => {
  const env = { SVC_BASE_URL: 'http://notifications.example.com', SVC_API_KEY: testKey };

  it('is refused before anything is sent, naming the option', async () => {
    const { svc } = await openRig({ bare: true });
    const { code, stderr, requests } = await svc(['topics', 'list'], { env });
    expect(requests).toEqual([]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('--insecure-http');
    expect(stderr).not.toContain(testKey);
  });

  it('is allowed with --insecure-http, and on loopback without it', async () => {
    const { svc } = await openRig({ bare: true });
    expect((await svc(['topics', 'list', '--insecure-http'], { env })).requests).toHaveLength(1);
    const local = { ...env, SVC_BASE_URL: 'http://127.0.0.1:4400' };
    expect((await svc(['topics', 'list'], { env: local })).requests).toHaveLength(1);
  });
});

describe('--read-only', () => {
  it.each([
    ['topics', 'rename', 'announcements', 'News'],
    ['events', 'trigger', 'welcome', '--to', 'u1'],
    ['integrations', 'delete', '677485809bebc841f620134a', '--yes'],
    ['api', 'POST', '/v1/environments', '-f', 'name=X'],
    ['runs', 'resume', 'some-run'],
  ])('refuses svc %s %s before any request', async (...line) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc([...line, '--read-only']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--read-only');
    expect((await svc(line, { env: { SVC_READ_ONLY: '1' } })).requests).toEqual([]);
  });

  it('lets reads through', async () => {
    const { svc } = await openRig();
    expect((await svc(['topics', 'list', '--read-only'])).code).toBe(0);
    expect((await svc(['api', 'GET', '/v2/topics', '--read-only'])).code).toBe(0);
  });
});

describe('--csv-safe', () => {
  it('keeps a spreadsheet from running a value as a formula', async () => {
    const { svc, answer } = await openRig();
    const topic = {
      _id: '1',
      key: 'k',
      name: '=HYPERLINK("http://x")',
      createdAt: '',
      updatedAt: '',
    };
    const page = {
      status: 200,
      body: { data: [topic], next: null, previous: null, totalCount: 1, totalCountCapped: false },
    };
    answer(page, page);
    const line = ['topics', 'list', '-o', 'csv', '--fields', 'name', '--no-header'];
    expect((await svc(line)).stdout).toBe('"=HYPERLINK(""http://x"")"\n');
    expect((await svc([...line, '--csv-safe'])).stdout).toMatch(/^"?'=HYPERLINK/);
  });
});
