// The responses of the sandbox to requests about contexts: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import {
  cursorPage,
  expectFields,
  expectItems,
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
    for (const one of expectItems(valueAt(body, 'data'))) expectFields(one, context);
    expect(valueAt(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tenant', id: 'org-acme' }),
        expect.objectContaining({ type: 'tenant', id: 'org-globex' }),
        expect.objectContaining({ type: 'app', id: 'jira' }),
      ]),
    );
  });

  it('returns one context by type and id', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/contexts/tenant/org-acme');
    expect(status).toBe(200);
    expectFields(body, context);
    expect(body).toMatchObject({ type: 'tenant', id: 'org-acme' });
  });
});
