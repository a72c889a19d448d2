// `svc contexts create`, `update` and `delete`.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc contexts create', () => {
  it.each([[['tenant', 'org-new']], [['tenant:org-new']]])('takes %j', async (words) => {
    const { svc } = await openRig();
    const line = ['contexts', 'create', ...words, '--data', '{"plan":"free"}'];
    const { stderr, requests } = await svc(line, { tty: true });
    expect(stderr).toBe('Created context tenant:org-new at http://sandbox.localhost.\n');
    expect(requests).toMatchObject([
      {
        line: 'POST /v2/contexts',
        body: { type: 'tenant', id: 'org-new', data: { plan: 'free' } },
      },
    ]);
    const read = await svc(['contexts', 'get', 'tenant', 'org-new', '--json']);
    expect(JSON.parse(read.stdout)).toMatchObject({ data: { plan: 'free' } });
  });

  it('is refused for a context that exists', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['contexts', 'create', 'tenant', 'org-acme']);
    expect(code).toBe(6);
    expect(stderr).toContain('org-acme');
  });

  it('is a usage error for an invalid id or without an id, before any request', async () => {
    const { svc } = await openRig();
    for (const words of [['tenant', 'org.acme'], ['tenant']]) {
      const { code, requests } = await svc(['contexts', 'create', ...words]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
    }
  });
});

describe('svc contexts update', () => {
  it('replaces the data', async () => {
    const { svc } = await openRig();
    const line = ['contexts', 'update', 'tenant:org-acme', '--data', '{"name":"A"}', '--json'];
    expect(JSON.parse((await svc(line)).stdout)).toMatchObject({ data: { name: 'A' } });
    const read = await svc(['contexts', 'get', 'tenant', 'org-acme', '--json']);
    expect(JSON.parse(read.stdout).data).toEqual({ name: 'A' });
  });

  it('needs data, and a context that exists', async () => {
    const { svc } = await openRig();
    const without = await svc(['contexts', 'update', 'tenant', 'org-acme']);
    expect(without).toMatchObject({ code: 2, requests: [] });
    const unknown = await svc(['contexts', 'update', 'tenant', 'missing', '--data', '{}']);
    expect(unknown.code).toBe(5);
  });
});

describe('svc contexts delete', () => {
  it('asks first, then deletes', async () => {
    const { svc } = await openRig();
    const line = ['contexts', 'delete', 'tenant', 'org-acme'];
    const asked = await svc(line);
    expect(asked).toMatchObject({ code: 2, requests: [] });
    expect(asked.stderr).toContain(
      'to delete context tenant:org-acme at http://sandbox.localhost.',
    );
    const { stdout } = await svc([...line, '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ deleted: true, type: 'tenant', id: 'org-acme' });
    expect((await svc([...line, '--yes'])).code).toBe(5);
  });
});
