// The responses of the sandbox to requests about contexts: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import {
  cursorPage,
  dataOf,
  expectFields,
  fieldOf,
  nonEmptyListOf,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';

describe('sandbox API for contexts', () => {
  const context: Record<string, Rule> = {
    type: 'string',
    id: 'string',
    data: 'object',
    createdAt: 'string',
    updatedAt: 'string',
  };

  it('lists contexts with cursors and counts', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      '/v2/contexts?limit=10&orderDirection=DESC&orderBy=createdAt&includeCursor=false',
    );
    expect(status).toBe(200);
    expectFields(body, cursorPage);
    for (const one of nonEmptyListOf(valueAt(body, 'data'))) expectFields(one, context);
    expect(valueAt(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tenant', id: 'org-acme' }),
        expect.objectContaining({ type: 'tenant', id: 'org-globex' }),
        expect.objectContaining({ type: 'app', id: 'jira' }),
      ]),
    );
  });

  it('filters contexts by id and by part of the type or id', async () => {
    const { ask } = await startSeeded();
    const byId = await ask('GET', '/v2/contexts?id=org-globex');
    const partOfId = await ask('GET', '/v2/contexts?search=acm');
    const partOfType = await ask('GET', '/v2/contexts?search=tena');
    expect(dataOf(byId)).toMatchObject([{ type: 'tenant', id: 'org-globex' }]);
    expect(dataOf(partOfId)).toMatchObject([{ type: 'tenant', id: 'org-acme' }]);
    const found = fieldOf(partOfType, 'id');
    expect(found).toEqual(expect.arrayContaining(['org-acme', 'org-globex']));
    expect(found).not.toContain('jira');
  });

  it('returns one context by type and id', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/contexts/tenant/org-acme');
    expect(status).toBe(200);
    expectFields(body, context);
    expect(body).toMatchObject({ type: 'tenant', id: 'org-acme' });
  });

  it('returns 404 for an unknown context', async () => {
    const { ask } = await startSeeded();
    const { status } = await ask('GET', '/v2/contexts/tenant/no-such-tenant');
    expect(status).toBe(404);
  });
});
