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

  describe('whose response is lost', () => {
    const create = ['contexts', 'create', 'tenant', 'lost', '--json', '--data'];
    const lost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    /** A service without idempotency keys, which has applied the first attempt. */
    async function openApplied(data: string) {
      const rig = await openRig();
      expect((await rig.svc([...create, data])).code).toBe(0);
      return rig;
    }

    it.each([
      ['{"plan":"free","seats":2}', '{"seats":2,"plan":"free"}'],
      ['{}', '{}'],
    ])('reads the context back (%s)', async (sent, applied) => {
      const rig = await openApplied(applied);
      rig.answer(lost());
      const { code, stdout, requests } = await rig.svc([...create, sent]);
      expect({ code, lines: requests.map(({ line }) => line) }).toEqual({
        code: 0,
        lines: ['POST /v2/contexts', 'GET /v2/contexts/tenant/lost'],
      });
      expect(JSON.parse(stdout)).toMatchObject({ id: 'lost', data: JSON.parse(sent) });
    });

    it('reads it back without a retry, and if the retry is refused', async () => {
      const rig = await openApplied('{"plan":"free"}');
      rig.answer(lost());
      const once = await rig.svc([...create, '{"plan":"free"}', '--retries', '0']);
      expect({ code: once.code, requests: once.requests.length }).toEqual({ code: 0, requests: 2 });
      // The service applies the first attempt only after the context was looked up.
      rig.answer(lost(), { status: 404, body: { message: 'not found' } });
      expect((await rig.svc([...create, '{"plan":"free"}'])).code).toBe(0);
    });

    it('is refused if the context has other data, so that it is another one', async () => {
      const rig = await openApplied('{"plan":"paid"}');
      rig.answer(lost());
      const { code, stderr } = await rig.svc([...create, '{"plan":"free"}']);
      expect(code).toBe(6);
      expect(stderr).toContain('already exists');
    });

    it('is sent again if the context does not exist', async () => {
      const rig = await openRig();
      rig.answer(lost());
      const { code, requests } = await rig.svc([...create, '{"plan":"free"}']);
      expect({ code, lines: requests.map(({ line }) => line) }).toEqual({
        code: 0,
        lines: ['POST /v2/contexts', 'GET /v2/contexts/tenant/lost', 'POST /v2/contexts'],
      });
    });
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
