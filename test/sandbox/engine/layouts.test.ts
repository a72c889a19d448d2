// Layouts of e-mails: the layout that an e-mail gets, and the result if no layout has that id.
import { describe, expect, test } from 'vitest';
import { insertLayout } from '../../../src/sandbox/store/layouts.ts';
import { email, openEngine, triggerTestWorkflow } from './engine-fixture.ts';

const createdAt = '2026-01-15T12:00:00.000Z';

/** Opens a sandbox with the layouts `plain` and `loud`; the e-mail step of the workflow has `layoutId`. */
async function openWithLayouts(layoutId?: string | null) {
  const engine = await openEngine();
  const scope = engine.store.scope(engine.store.environmentId);
  for (const name of ['plain', 'loud']) {
    const body = `<html><body><h1>${name} {{subscriber.firstName}}</h1>{{content}}</body></html>`;
    insertLayout(scope, {
      ...{ id: scope.ids.objectId(), layoutId: name, name, isDefault: name === 'plain' },
      ...{ createdAt, updatedAt: createdAt, editorType: 'html', body },
    });
  }
  const controls = { subject: 'S', body: '<p>Hello</p>', layoutId };
  engine.defineWorkflow({ steps: [{ ...email, controls }] });
  const deliver = async (overrides: object = {}) => {
    await triggerTestWorkflow(engine, 'u1', { overrides });
    const [message] = await engine.messages('transactionId=a&channel=email');
    return { body: message?.body as string | undefined, ...(await engine.getActivity('a')) };
  };
  return { deliver };
}

const inLayout = (name: string) => `<html><body><h1>${name} Ada</h1><p>Hello</p></body></html>`;

describe('the layout of an e-mail', () => {
  test('is the one of the step', async () => {
    const { deliver } = await openWithLayouts('plain');
    const { body, details } = await deliver();
    expect(body).toBe(inLayout('plain'));
    expect(details[0]).toContain('Pending: Layout selected');
  });

  test.each([[null], [undefined]])('is absent if layoutId is %s', async (layoutId) => {
    const { deliver } = await openWithLayouts(layoutId);
    expect((await deliver()).body).toBe('<p>Hello</p>');
  });

  test.each([
    ['the channel', { channels: { email: { layoutId: 'loud' } } }, inLayout('loud')],
    ['all e-mails', { layoutIdentifier: 'loud' }, inLayout('loud')],
    ['the channel, with null', { channels: { email: { layoutId: null } } }, '<p>Hello</p>'],
  ])('is overridden by the event for %s', async (_where, overrides, expected) => {
    const { deliver } = await openWithLayouts('plain');
    expect((await deliver(overrides)).body).toBe(expected);
  });

  test('is overridden first by the event for the step', async () => {
    const { deliver } = await openWithLayouts();
    const overrides = {
      steps: { email: { layoutId: 'plain' } },
      channels: { email: { layoutId: 'loud' } },
    };
    expect((await deliver(overrides)).body).toBe(inLayout('plain'));
  });

  test('fails the step if it does not exist', async () => {
    const { deliver } = await openWithLayouts('missing');
    const { statuses, details, body } = await deliver();
    expect({ statuses, body }).toEqual({ statuses: ['failed'], body: undefined });
    expect(details[0]).toEqual(['Failed: Layout not found ', 'Failed: Bridge execution failed']);
  });
});
