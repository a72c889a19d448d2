import { describe, expect, test } from 'vitest';
import { developmentId } from '../../src/sandbox/store/ids.ts';
import { openSandbox } from './open.ts';

describe('contexts', () => {
  test('can be read by type and id', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /v2/contexts/tenant/org-acme')).body).toEqual({
      type: 'tenant',
      id: 'org-acme',
      data: { name: 'Acme', plan: 'enterprise' },
      createdAt: '2025-01-15T09:00:00.000Z',
      updatedAt: '2025-01-15T09:00:00.000Z',
    });
  });

  test('that do not exist return 404', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('GET /v2/contexts/tenant/nope');
    expect(status).toBe(404);
    expect(body.message).toBe(
      `Context with id 'nope' and type 'tenant' not found in environment ${developmentId}`,
    );
  });

  test.each([
    ['', ['jira', 'org-acme', 'org-globex']],
    ['?type=tenant', ['org-acme', 'org-globex']],
    ['?id=org-globex', ['org-globex']],
    ['?search=acm', ['org-acme']],
    ['?search=NANT:ORG', ['org-acme', 'org-globex']],
    ['?type=app&id=org-acme', []],
    ['?limit=2', ['jira', 'org-acme']],
  ])('listed with %j are %j', async (query, expected) => {
    const { ask } = await openSandbox();
    const { body } = await ask(`GET /v2/contexts${query}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected);
  });

  test('are paged with a cursor', async () => {
    const { ask } = await openSandbox();
    const first = (await ask('GET /v2/contexts?limit=2&orderBy=id&orderDirection=ASC')).body;
    const second = (
      await ask(`GET /v2/contexts?limit=2&orderBy=id&orderDirection=ASC&after=${first.next}`)
    ).body;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([
      'jira',
      'org-acme',
      'org-globex',
    ]);
    expect(second).toMatchObject({ next: null, totalCount: 3 });
    expect(second.previous).toEqual(expect.any(String));
  });
});
