// Workflows and layouts written to files and read again.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toFiles } from '../../src/environment/definition-text.ts';
import { applyChanges, findChanges } from '../../src/environment/folder-changes.ts';
import { toNormalWorkflow } from '../../src/environment/normal-form.ts';
import { readFolder } from '../../src/environment/read-definitions.ts';
import { openSafeFolder } from '../../src/environment/safe-folder.ts';
import { anyWorkflow, asResource, temporaryFolder } from './any-workflow.ts';

it('a workflow with any texts and values is the same after it was written and read', () => {
  fc.assert(
    fc.property(anyWorkflow, (workflow) => {
      const files = new Map(
        toFiles(asResource(workflow), 'novu').map(({ path: name, text }) => [
          name,
          // As it is after it was stored as UTF-8.
          Buffer.from(text).toString(),
        ]),
      );
      const folder = {
        path: '/',
        names: (prefix = '') => (prefix === '' ? [...files.keys()] : []),
        kindOf: () => 'file' as const,
        read: (name: string) => files.get(name) ?? expect.fail(`unexpected file ${name}`),
        write: () => undefined,
        remove: () => undefined,
      };
      const { files: read } = readFolder(folder, 'workflows');
      expect(read.map(({ resource }) => resource.value)).toEqual([workflow]);
      expect(JSON.stringify(read[0]?.resource.value)).toBe(JSON.stringify(workflow));
    }),
    { numRuns: 200 },
  );
});

it('every file name is plain, and no two differ only by case', () => {
  fc.assert(
    fc.property(anyWorkflow, (workflow) => {
      const names = toFiles(asResource(workflow), 'novu').map(({ path: name }) => name);
      for (const name of names) expect(name).toMatch(/^[\w~-]+(\.[\w~-]+)*\.(yaml|html|json|txt)$/);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    }),
  );
});

it('keeps the bytes of texts with CRLF, without a final line break and with a byte order mark', () => {
  const root = temporaryFolder();
  const folder = openSafeFolder('workflows', root, 'workflows');
  const body = '\ufeff<html>\r\n\t<p>Hello</p>\n</html>';
  const workflow = toNormalWorkflow({
    workflowId: 'welcome',
    steps: [{ stepId: 'mail', type: 'email', controlValues: { subject: 'Hi', body } }],
  });
  const pulled = { shownAs: 'workflows', root: undefined, workflows: folder };
  const resources = [asResource(workflow)];
  const input = {
    kinds: ['workflow'] as const,
    resources,
    mode: 'novu',
    deleteOthers: false,
  } as const;
  applyChanges(findChanges(pulled, input));
  expect(readFileSync(path.join(root, 'workflows', 'welcome.mail.body.html'))).toEqual(
    Buffer.from(body),
  );
  expect(readFolder(folder, 'workflows').files[0]?.resource.value).toEqual(workflow);
  expect(readFileSync(path.join(root, 'workflows', '.gitattributes'), 'utf8')).toMatch(
    /^\* -text$/m,
  );
});

it('writes the settings in a fixed order, the mode in the first line and texts in files', () => {
  const workflow = toNormalWorkflow({
    workflowId: 'welcome',
    name: 'Welcome',
    tags: ['onboarding'],
    payloadSchema: { type: 'object' },
    steps: [
      {
        stepId: 'mail',
        name: 'Mail',
        type: 'email',
        controlValues: {
          subject: 'Hi',
          body: '<p>Hi</p>',
          editorType: 'html',
          skip: { '==': [1, 2] },
        },
      },
      { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { note: 'a\nb', amount: 1 } },
    ],
  });
  const files = toFiles(asResource(workflow), 'novu');
  expect(files.slice(0, 2)).toEqual([
    { path: 'welcome.mail.body.html', text: '<p>Hi</p>' },
    { path: 'welcome.wait.note.txt', text: 'a\nb' },
  ]);
  expect(files[2]?.text).toBe(`# svc workflow, format 1, compat novu
workflowId: welcome
name: Welcome
description: ""
tags:
  - onboarding
active: true
severity: none
validatePayload: true
payloadSchema:
  type: object
isTranslationEnabled: false
preferences:
  user: null
  default:
    all:
      enabled: true
      readOnly: false
    channels:
      email:
        enabled: true
      sms:
        enabled: true
      in_app:
        enabled: true
      chat:
        enabled: true
      push:
        enabled: true
steps:
  - stepId: mail
    name: Mail
    type: email
    controlValues:
      subject: Hi
      body:
        $file: welcome.mail.body.html
      editorType: html
      skip:
        ==:
          - 1
          - 2
  - stepId: wait
    name: Wait
    type: delay
    controlValues:
      note:
        $file: welcome.wait.note.txt
      amount: 1
`);
});

it('a file with identifiers and steps alone gets the defaults of the service', () => {
  const root = temporaryFolder();
  writeFileSync(
    path.join(root, 'short.yaml'),
    '# svc workflow, format 1, compat novu\nworkflowId: short\nsteps:\n  - { stepId: sms, type: sms, controlValues: { body: Hi } }\n',
  );
  const { files } = readFolder(openSafeFolder('.', root, '.'), '.');
  expect(files[0]?.resource.value).toMatchObject({
    name: 'short',
    active: true,
    payloadSchema: { type: 'object', additionalProperties: true, properties: {} },
    preferences: { user: null, default: { all: { enabled: true, readOnly: false } } },
    steps: [{ name: 'sms', controlValues: { body: 'Hi' } }],
  });
  expect(readdirSync(root)).toEqual(['short.yaml']);
});
