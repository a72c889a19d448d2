// Layouts of e-mails.
import { describe, expect, test } from 'vitest';
import { openSandbox } from './open.ts';

const open = async () => {
  const { ask } = await openSandbox();
  await ask('POST /v2/layouts', { layoutId: 'main', name: 'Main' });
  await ask('POST /v2/layouts', { layoutId: 'other', name: 'Other' });
  return ask;
};
const page = (body: string) => ({
  email: { body: `<html><body>${body}</body></html>`, editorType: 'html' },
});

describe('layouts', () => {
  test('the first layout is the default one, and a new layout has the empty document', async () => {
    const ask = await open();
    const { body: list } = await ask('GET /v2/layouts?orderBy=name&orderDirection=ASC');
    expect(list.layouts).toMatchObject([
      { layoutId: 'main', isDefault: true, controls: { values: {} } },
      { layoutId: 'other', isDefault: false, controls: { values: {} } },
    ]);
    const { body } = await ask('GET /v2/layouts/main');
    expect(body.controls.values.email.editorType).toBe('block');
    expect(body.controls.values.email.body).toContain('"id":"content"');
  });

  test('is found by identifier, internal id and slug', async () => {
    const ask = await open();
    const { body } = await ask('GET /v2/layouts/main');
    for (const id of [body._id, body.slug])
      expect((await ask(`GET /v2/layouts/${id}`)).body).toEqual(body);
    expect((await ask('GET /v2/layouts/none')).status).toBe(404);
  });

  test.each([
    ['QL1', 'ql-1'],
    ['fooBar', 'foo-bar'],
    ['HTML Page', 'html-page'],
    ['HTMLPages', 'html-pages'],
    ['APIs', 'apis'],
    ["Ann's & Bob's", 'anns-and-bobs'],
    ['Grüße', 'gruesse'],
    ['  Déjà vu!', 'deja-vu'],
  ])('%s has the slug %s', async (name, slug) => {
    const ask = await open();
    const { body } = await ask('POST /v2/layouts/main/duplicate', { name });
    expect([body.layoutId, body.slug.split('_')[0]]).toEqual([slug, slug]);
  });

  test('content is replaced by an update, kept without it and removed with null', async () => {
    const ask = await open();
    const values = async (body: object) => {
      const response = await ask('PUT /v2/layouts/main', { name: 'Main', ...body });
      return response.body.controls.values;
    };
    expect(await values({ controlValues: page('{{content}}') })).toEqual(page('{{content}}'));
    expect(await values({})).toEqual(page('{{content}}'));
    expect(await values({ controlValues: null })).toEqual({});
  });

  test.each([
    ['<p>no page</p>', 'Content must be a valid HTML content'],
    ['<html><body>no content</body></html>', 'Api Exception Raised with status 400'],
    ['<html><body>{{content}} {{payload.x}}</body></html>', 'Api Exception Raised with status 400'],
  ])('rejects the content %s', async (body, message) => {
    const ask = await open();
    const controlValues = { email: { body, editorType: 'html' } };
    const response = await ask('PUT /v2/layouts/main', { name: 'Main', controlValues });
    expect({ status: response.status, message: response.body.message }).toEqual({
      status: 400,
      message,
    });
  });

  test('a deleted layout is removed from the steps that use it; the default one stays', async () => {
    const ask = await open();
    const values = { subject: 's', body: 'b', editorType: 'html' };
    const step = { name: 'Mail', type: 'email', controlValues: { ...values, layoutId: 'other' } };
    await ask('POST /v2/workflows', { workflowId: 'w', name: 'W', steps: [step] });
    expect((await ask('GET /v2/layouts/other/usage')).body.workflows).toEqual([
      { name: 'W', workflowId: 'w' },
    ]);
    expect((await ask('DELETE /v2/layouts/other')).status).toBe(204);
    expect((await ask('GET /v2/workflows/w')).body.steps[0].controlValues).toEqual(values);
    expect((await ask('DELETE /v2/layouts/main')).status).toBe(409);
  });

  test('a copy has the content, and its identifier from its name', async () => {
    const ask = await open();
    await ask('PUT /v2/layouts/main', { name: 'Main', controlValues: page('{{content}}') });
    const { status, body } = await ask('POST /v2/layouts/main/duplicate', { name: 'Copy 1' });
    expect({ status, layoutId: body.layoutId }).toEqual({ status: 201, layoutId: 'copy-1' });
    expect(body.controls.values).toEqual(page('{{content}}'));
  });

  test('a preview shows sample data and a placeholder for the content', async () => {
    const ask = await open();
    const { status, body } = await ask('POST /v2/layouts/main/preview', {
      controlValues: page('Hi {{subscriber.firstName}}: {{content}}'),
      previewPayload: { subscriber: { firstName: 'Ada' } },
    });
    expect(status).toBe(201);
    expect(body.result.preview.body).toMatch(/Hi Ada: <table.*Dynamic placeholder content/);
  });
});
