// `svc workflows validate`: the checks of files without a server.
import { describe, expect, it } from 'vitest';
import { listWrites } from '../../support/requests.ts';
import { words } from '../../support/words.ts';
import { openEnvironments } from '../environments/environment-folder.ts';
import {
  firstLine,
  markedLine,
  openWorkflowRig,
  smsFile,
  writeFullFolder,
} from './workflow-folder.ts';

interface Mistake {
  file: string;
  line: number;
  column: number;
  path: string;
  message: string;
  severity: string;
}

/** Checks the folder `workflows` with the given files. No request is sent. */
async function check(texts: Record<string, string>, ...more: string[]) {
  const { svc, files } = await openWorkflowRig({ bare: true });
  for (const [name, text] of Object.entries(texts)) files.write(`workflows/${name}`, text);
  const { code, stdout, stderr, requests } = await svc(words`workflows validate ${more} --json`);
  expect(requests).toEqual([]);
  return { code, mistakes: JSON.parse(stdout || '[]') as Mistake[], stderr };
}

const emailFile = (controls: string, schema = '') =>
  `${firstLine}\nworkflowId: mail\n${schema}steps:\n  - stepId: mail\n    type: email\n    controlValues:\n      ${controls}\n`;

describe('svc workflows validate', () => {
  it('reports nothing for valid files', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    writeFullFolder(files);
    const { code, stdout, requests } = await svc(['workflows', 'validate'], { tty: true });
    expect({ code, stdout, requests }).toEqual({
      code: 0,
      stdout: 'Checked 2 files: no errors.\n',
      requests: [],
    });
  });

  it.each([
    ['an unknown field', 'tagz: []\n', { line: 3, column: 1, path: 'tagz' }, 'is an unknown field'],
    ['YAML that is not valid', 'tags: [a\n', { path: '' }, ''],
    [
      'a payload schema that is not valid',
      'payloadSchema: { type: objekt }\n',
      { line: 3, column: 1, path: 'payloadSchema' },
      'is not a valid JSON Schema',
    ],
  ])('reports %s', async (_what, line, place, message) => {
    const { code, mistakes } = await check({ 'a.yaml': `${firstLine}\nworkflowId: a\n${line}` });
    expect(code).toBe(2);
    expect(mistakes[0]).toMatchObject({ file: 'workflows/a.yaml', ...place, severity: 'error' });
    expect(mistakes[0]?.message).toContain(message);
  });

  it('reports a broken template with its line and column, also in a file of its own', async () => {
    const { code, mistakes } = await check({
      'mail.yaml': emailFile(
        'subject: "{{payload.x"\n      editorType: html\n      body: { $file: mail.mail.body.html }',
      ),
      'mail.mail.body.html': '<p>one</p>\n<p>two {{nope.x}}</p>\n',
    });
    expect(code).toBe(2);
    expect(mistakes).toMatchObject([
      { file: 'workflows/mail.yaml', line: 7, column: 7, path: 'steps[0].controlValues.subject' },
      {
        ...{ file: 'workflows/mail.mail.body.html', line: 2, column: 10 },
        path: 'steps[0].controlValues.body',
      },
    ]);
  });

  it('reports conditions, limits and layouts that the folder lacks', async () => {
    const { mistakes } = await check({
      'mail.yaml': emailFile(
        'subject: Hi\n      body: Hi\n      layoutId: gone\n      skip: { "==": [1] }',
        'tags: [a, a]\n',
      ).replace(firstLine, markedLine),
    });
    expect(mistakes.map(({ path, message }) => [path, message])).toEqual([
      ['', 'a tag occurs twice'],
      ['steps[0].controlValues.layoutId', 'layout `gone` is not in the folder'],
      ['steps[0].controlValues.skip', 'Invalid operation structure for operator "=="'],
    ]);
  });

  const skipping = (mode = '') =>
    `${firstLine}${mode}\nworkflowId: mail\nsteps:\n  - { stepId: text, type: sms, controlValues: { body: Hi, skip: { "==": [{ var: payload.a }, x] } } }\n`;

  it('reports a skip condition in a file without a mode, as a push does', async () => {
    const { code, mistakes } = await check({ 'mail.yaml': skipping() });
    expect(code).toBe(2);
    expect(mistakes).toMatchObject([
      {
        ...{ file: 'workflows/mail.yaml', line: 1, column: 1, path: '', severity: 'error' },
        message: expect.stringContaining(`${firstLine}, compat novu`),
      },
    ]);
    for (const mode of [', compat novu', ', compat specification'])
      expect(await check({ 'mail.yaml': skipping(mode) })).toMatchObject({ code: 0 });
  });

  it('reports files of both modes in a folder, which no server takes', async () => {
    const other = skipping(', compat specification').replace('mail', 'other');
    const texts = { 'mail.yaml': skipping(', compat novu'), 'other.yaml': other };
    expect(await check(texts)).toMatchObject({
      code: 2,
      mistakes: [
        { file: 'workflows/other.yaml', line: 1, message: expect.stringContaining('mail') },
      ],
    });
    // A file without a condition means the same in both.
    texts['mail.yaml'] = `${firstLine}, compat novu\nworkflowId: mail\n`;
    expect(await check(texts)).toMatchObject({ code: 0 });
  });

  it('reports the mistakes in the lists of an environment folder, which a push refuses', async () => {
    const { svc, pull, files } = await openEnvironments();
    await pull('a', 'development');
    const run = async () => {
      const { code, stdout, requests } = await svc(['workflows', 'validate', 'a', '--json']);
      expect(requests).toEqual([]);
      return { code, mistakes: JSON.parse(stdout) as Mistake[] };
    };
    expect(await run()).toEqual({ code: 0, mistakes: [] });
    files.edit('a/integrations.yaml', 'apiKey:', 'apiKye:');
    files.edit('a/topics.yaml', '- key: unnamed', '- key: news');
    files.remove('a/contexts.yaml');
    const { code, mistakes } = await run();
    expect(code).toBe(2);
    expect(mistakes.map(({ file, path, message }) => [file, path, message])).toEqual([
      ['a/integrations.yaml', '[2].credentials.apiKye', 'is an unknown credential'],
      ['a/contexts.yaml', '', expect.stringContaining('does not exist')],
      ['a/topics.yaml', '[1]', 'news is a duplicate'],
    ]);
  });

  it.each([
    ['<html><body></body></html>', 'should contain the "content" variable'],
    ['<html><body>{{content}} {{payload.x}}</body></html>', 'payload.x'],
    ['<p>{{content}}</p>', 'valid HTML'],
  ])('reports what the service rejects in the layout %s', async (body, message) => {
    const { mistakes } = await check({
      'layouts/frame.yaml': `${firstLine.replace('workflow', 'layout')}\nlayoutId: frame\ncontrolValues:\n  email: { body: "${body}", editorType: html }\n`,
    });
    expect(mistakes).toMatchObject([
      {
        ...{ file: 'workflows/layouts/frame.yaml', line: 4, path: 'controlValues.email.body' },
        message: expect.stringContaining(message),
      },
    ]);
  });

  it('warns of a variable that the payloadSchema lacks; --strict makes it an error', async () => {
    const texts = {
      'mail.yaml': emailFile(
        'subject: "Hi {{payload.nam}}"\n      body: Hi',
        'payloadSchema: { type: object, additionalProperties: false, properties: { name: { type: string } } }\n',
      ),
    };
    const warned = await check(texts);
    expect(warned).toMatchObject({
      code: 0,
      mistakes: [{ severity: 'warning', message: 'payloadSchema has no `payload.nam`' }],
    });
    expect(await check(texts, '--strict')).toMatchObject({
      code: 2,
      mistakes: [{ severity: 'error' }],
    });
  });

  it('wraps a line on a narrow terminal at blanks, and leaves the place of the mistake whole', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    const folder = `workflows/${'a-folder-with-a-long-name/'.repeat(2)}of-more-than-eighty-columns`;
    files.write(`${folder}/mail.yaml`, emailFile('subject: "Hi {{nope.x}}"\n      body: Hi'));
    const { stdout } = await svc(['workflows', 'validate', folder], { tty: true, columns: 80 });
    expect(stdout).toBe(
      [
        `${folder}/mail.yaml:7:7:`,
        '  steps[0].controlValues.subject Variable "nope.x" is not supported  error',
        'Checked 1 file: 1 error.',
        '',
      ].join('\n'),
    );
  });

  it('takes files, ids and the folder of an environment', async () => {
    const { svc, files, pull } = await openEnvironments();
    await pull('environment', 'development');
    files.write('workflows/a.yaml', smsFile('a', '{{'));
    files.write('workflows/b.yaml', smsFile('b'));
    const validate = async (...paths: string[]) =>
      (await svc(['workflows', 'validate', ...paths])).code;
    expect(await validate('b')).toBe(0);
    expect(await validate('workflows/b.yaml')).toBe(0);
    expect(await validate('a', 'b')).toBe(2);
    expect(await validate('environment')).toBe(0);
    expect(await validate('nothing')).toBe(2);
  });

  it('accepts the variables of newer servers in texts, conditions and layouts', async () => {
    const step = `subject: '{{env.name}}, {{actor.firstName}}, {{actor.data.team}}'
      body: '{{env.BASE_URL}}'
      skip: { and: [{ '==': [{ var: env.type }, prod] }, { '!=': [{ var: actor.email }, a@b.co] }] }`;
    const layout = `# svc layout, format 1\nlayoutId: page\nname: Page\ncontrolValues:\n  email:\n    editorType: html\n    body: '<html><body>{{content}} {{env.name}}</body></html>'\n`;
    const mail = (text: string) => emailFile(text).replace(firstLine, markedLine);
    const valid = { 'mail.yaml': mail(step), 'layouts/page.yaml': layout };
    expect(await check(valid)).toMatchObject({ code: 0, mistakes: [] });
    const { mistakes } = await check({
      'mail.yaml': mail(step.replace('actor.firstName', 'actor.first')),
      'layouts/page.yaml': layout.replace('env.name', 'actor.firstName'),
    });
    expect(mistakes.map(({ file, message }) => [file, message])).toEqual([
      ['workflows/mail.yaml', 'Variable "actor.first" is not supported'],
      ['workflows/layouts/page.yaml', 'Variable "actor.firstName" is not supported'],
    ]);
  });
});

describe('a push', () => {
  it('refuses files with errors before a write, and takes unchanged ones', async () => {
    const { svc, files } = await openWorkflowRig();
    files.write('workflows/a.yaml', smsFile('a', 'Hello'));
    files.write('workflows/b.yaml', smsFile('b', '{{nope.x}}'));
    const { code, stderr, requests } = await svc(['workflows', 'push', '--yes']);
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
    expect(stderr.replace(/\s+/g, ' ')).toContain('workflow b: step text, body: Variable "nope.x"');
    expect((await svc(['workflows', 'push', 'a', '--yes'])).code).toBe(0);
  });

  it('takes ids', async () => {
    const { svc, files } = await openWorkflowRig();
    files.write('workflows/a.yaml', smsFile('a'));
    files.write('workflows/b.yaml', smsFile('b'));
    const { code, stdout } = await svc(['workflows', 'push', 'b', '--yes', '-o', 'ids']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'b\n' });
    const missing = await svc(['workflows', 'push', 'c', '--yes']);
    expect(missing).toMatchObject({ code: 2, requests: [] });
    expect(missing.stderr).toContain('neither does workflows/c.yaml');
  });
});
