// The prompt for a missing identifier if the server does not offer the list.
import { expect, it } from 'vitest';
import type { Context } from '../../src/app/context.ts';
import { canPromptFor, promptForResource } from '../../src/app/resource-prompt.ts';
import { SvcError } from '../../src/core/errors.ts';

const contextThatThrows = (error: SvcError) =>
  ({
    pages: async function* () {
      yield await Promise.reject(error);
    },
  }) as unknown as Context;

it('can list subscribers, integrations and layouts', () => {
  expect(canPromptFor('subscribers')).toBe(true);
  expect(canPromptFor('integrations')).toBe(true);
  expect(canPromptFor('layouts')).toBe(true);
});

it('is a usage error if the server does not list subscribers', async () => {
  const error = new SvcError('notFound', 'This server does not offer it.', { notOffered: true });
  await expect(
    promptForResource(contextThatThrows(error), 'subscribers', {}),
  ).rejects.toMatchObject({ exitReason: 'usage', message: 'The subscriber is missing.' });
});

it('passes on any other error', async () => {
  const error = new SvcError('auth', 'API Key not found');
  await expect(promptForResource(contextThatThrows(error), 'subscribers', {})).rejects.toBe(error);
});
