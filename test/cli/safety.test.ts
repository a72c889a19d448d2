// Safety options: --insecure-http, --read-only and --csv-safe.
import { describe, expect, it } from 'vitest';
import { testKey } from '../support/fixed.ts';
import { openRig } from '../support/rig.ts';

describe('http:// to another machine', () => {
  const env = { SVC_BASE_URL: 'http://notifications.example.com', SVC_API_KEY: testKey };

  it('is rejected before a request, with the option that allows it', async () => {
    const { svc } = await openRig({ bare: true });
    const { code, stderr, requests } = await svc(['topics', 'list'], { env });
    expect(requests).toEqual([]);
    expect(code).toBe(2);
    expect(stderr).toContain('--insecure-http');
    expect(stderr).not.toContain(testKey);
  });

  it('is allowed with --insecure-http; loopback does not need the option', async () => {
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
    ['topics', 'create', 'launch'],
    ['topics', 'delete', 'announcements', '--yes'],
    ['topics', 'unsubscribe', 'announcements', 'u1'],
    ['contexts', 'create', 'tenant', 'x'],
    ['contexts', 'update', 'tenant', 'org-acme', '--data', '{}'],
    ['contexts', 'delete', 'tenant', 'org-acme', '--yes'],
    ['workflows', 'enable', 'welcome'],
    ['workflows', 'delete', 'welcome', '--yes'],
    ['integrations', 'create', 'sendgrid', '--channel', 'email'],
    ['integrations', 'set-primary', '677485809bebc841f620134a'],
    ['environments', 'update', 'Development', '--color', '#ffffff'],
    ['environments', 'delete', 'Production', '--yes'],
    ['events', 'broadcast', 'welcome', '--yes'],
    ['messages', 'delete', '67748580259aa8ef98259b2b', '--yes'],
    ['subscribers', 'update', 'u1', '--email', 'a@example.com'],
    ['subscribers', 'delete', 'u1', '--yes'],
  ])('rejects svc %s %s before any request', async (...line) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc([...line, '--read-only']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--read-only');
    const byVariable = await svc(line, { env: { SVC_READ_ONLY: '1' } });
    expect(byVariable).toMatchObject({ code: 2, requests: [] });
  });

  it('allows reads', async () => {
    const { svc } = await openRig();
    expect((await svc(['topics', 'list', '--read-only'])).code).toBe(0);
    expect((await svc(['api', 'GET', '/v2/topics', '--read-only'])).code).toBe(0);
  });
});

describe('--csv-safe', () => {
  it('escapes a value that a spreadsheet would run as a formula', async () => {
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
