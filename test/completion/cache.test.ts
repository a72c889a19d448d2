// The cache of completion values: one per service and environment, limited in size, readable by the user only.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readValues, valueFolder } from '../../src/completion/cache.ts';
import { addValues } from '../../src/completion/recorder.ts';
import { fileMode } from '../support/file-mode.ts';
import { baseUrl } from '../support/fixed.ts';
import { openRig } from '../support/rig.ts';

function folder() {
  const made = mkdtempSync(path.join(tmpdir(), 'svc-values-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return path.join(made, 'values');
}

describe('cached values', () => {
  it('are ordered newest first, without duplicates, at most 500 per kind', () => {
    const into = folder();
    const many = Array.from({ length: 600 }, (_unused, index) => ({ value: `t${index}` }));
    addValues(into, 'topics', many);
    addValues(into, 'topics', [{ value: 't3', name: 'Third' }, { value: 'new' }]);
    const known = readValues(into, 'topics');
    expect(known).toHaveLength(500);
    expect(known.slice(0, 3)).toEqual([
      { value: 't3', name: 'Third' },
      { value: 'new' },
      { value: 't0' },
    ]);
  });

  it('are files of mode 0600 in a folder of mode 0700, without temporary files', () => {
    const into = folder();
    addValues(into, 'topics', [{ value: 'a' }]);
    expect(fileMode(into)).toBe('700');
    expect(fileMode(path.join(into, 'topics'))).toBe('600');
    expect(readdirSync(into)).toEqual(['topics']);
  });

  it.each(['a\nb', 'a\tb', '\u001b[2J', 'a\u202eb', 'x'.repeat(257)])(
    'do not include %j',
    (value) => {
      const into = folder();
      addValues(into, 'topics', [{ value }, { value: 'plain', name: 'a\u001bb' }]);
      expect(readValues(into, 'topics')).toEqual([{ value: 'plain', name: 'a b' }]);
    },
  );

  it('of another service or environment are stored separately', () => {
    const profiles = {
      dev: { baseUrl: 'https://x', keySource: 'file' as const, environment: 'Development' },
      devAgain: { baseUrl: 'https://x', keySource: 'file' as const, environment: 'Development' },
      prod: { baseUrl: 'https://x', keySource: 'file' as const, environment: 'Production' },
    };
    const of = (profile: string | undefined, env = {}) =>
      valueFolder(
        '/cache',
        { profile, baseUrl: undefined, env },
        { profiles, settings: {}, current: 'dev' },
      );
    expect(of('devAgain')).toBe(of('dev'));
    expect(of(undefined)).toBe(of('dev'));
    expect(of('prod')).not.toBe(of('dev'));
    const other = of(undefined, { SVC_BASE_URL: 'https://y', SVC_API_KEY: 's3cret' });
    expect(other).not.toBe(of('dev'));
    expect(other).not.toContain('s3cret');
  });

  it('do not cause an error if they cannot be written', () => {
    expect(() => addValues('/dev/null/values', 'topics', [{ value: 'a' }])).not.toThrow();
  });
});

describe('values from earlier responses', () => {
  it('are offered without a request', async () => {
    const { svc } = await openRig();
    await svc(['topics', 'list']);
    await svc(['workflows', 'get', 'welcome']);
    await svc(['contexts', 'list']);
    await svc(['activity', 'list']);
    const complete = async (...line: string[]) => (await svc(['__complete', '--', ...line])).stdout;
    const { stdout, requests, code, stderr } = await svc([
      ...['__complete', '--', 'topics', 'get', ''],
    ]);
    expect(stdout.split('\n')[0]).toBe('announcements\tAnnouncements');
    expect({ requests, code, stderr }).toEqual({ requests: [], code: 0, stderr: '' });
    expect(await complete('workflows', 'step', 'welcome', '')).toContain('welcome-email');
    expect(await complete('workflows', 'step', 'other', '')).toBe('');
    expect(await complete('contexts', 'get', '')).toContain('tenant:org-acme');
    expect(await complete('contexts', 'list', '--type', '')).toContain('tenant\t');
    expect(await complete('subscribers', 'get', '')).toContain('u1');
    expect(await complete('activity', 'explain', '--transaction', '')).toMatch(/^txn_/m);
    const providers = await complete('integrations', 'create', '');
    expect(providers).toMatch(/^slack\t$/m);
    expect(providers).toMatch(/^sendgrid\t$/m);
    const withCredentials = await complete(
      ...['subscribers', 'credentials', 'set', 'u1', '--provider', ''],
    );
    expect(withCredentials).toMatch(/^slack\t$/m);
    expect(withCredentials).not.toContain('sendgrid');
  });

  it('prints the values of a service also if its address ends with /v1', async () => {
    const { svc } = await openRig();
    await svc(['topics', 'list']);
    for (const end of ['/', '/v1', '/v1/']) {
      const env = { SVC_BASE_URL: `${baseUrl}${end}` };
      expect((await svc(['__complete', '--', 'topics', 'get', ''], { env })).stdout).toContain(
        'announcements\t',
      );
    }
  });

  it('prints the newest runs first', async () => {
    const { svc } = await openRig();
    for (const runId of ['r1', 'r3', 'r2'])
      await svc(['subscribers', 'bulk-import', '-', '--run-id', runId], {
        stdin: 'subscriberId\nu1\n',
      });
    expect((await svc(['__complete', '--', 'runs', 'show', ''])).stdout).toBe('r3\t\nr2\t\nr1\t\n');
  });

  it('include the ids that lists print', async () => {
    const { svc } = await openRig();
    await svc(['subscribers', 'list', '--limit', '2', '--name', 'a']);
    await svc(['topics', 'subscribers', 'beta-testers']);
    await svc(['integrations', 'list']);
    await svc(['messages', 'list']);
    const complete = async (...line: string[]) => (await svc(['__complete', '--', ...line])).stdout;
    expect(await complete('subscribers', 'get', '')).toMatch(/^u1\t$/m);
    expect(await complete('topics', 'get', '')).toContain('beta-testers');
    expect(await complete('integrations', 'get', '')).toContain(
      '67748580895a497d12797983\tsendgrid-email',
    );
    expect(await complete('messages', 'list', '--transaction', '')).toContain('seed-welcome-bruno');
  });
});
