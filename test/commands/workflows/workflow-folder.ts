// Rigs for workflow files: a folder that can be edited, and an environment that is empty at the start.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openRig, type Rig, type RigOptions } from '../../support/rig.ts';
import { openTwoEnvironments } from '../../support/two-environments.ts';

export interface WorkflowFolder {
  /** The text of a file. */
  read(name: string): string;
  write(name: string, text: string): void;
  /** Replaces a text that must be in the file. */
  edit(name: string, from: string, to: string): void;
  remove(name: string): void;
  /** Every file with its bytes, by path. */
  contents(folder?: string): Record<string, string>;
}

export function openFolder({ folder }: Pick<Rig, 'folder'>): WorkflowFolder {
  const inFolder = (name: string) => path.join(folder, name);
  const read = (name: string) => readFileSync(inFolder(name), 'latin1');
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(inFolder(name)), { recursive: true });
    writeFileSync(inFolder(name), text);
  };
  return {
    read,
    write,
    edit: (name, from, to) => {
      const text = readFileSync(inFolder(name), 'utf8');
      if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
      write(
        name,
        text.replace(from, () => to),
      );
    },
    remove: (name) => rmSync(inFolder(name), { recursive: true }),
    contents: (root = 'workflows') =>
      Object.fromEntries(
        (readdirSync(inFolder(root), { recursive: true }) as string[])
          .map((name) => name.split(path.sep).join('/'))
          .filter((name) => statSync(inFolder(path.join(root, name))).isFile())
          .sort()
          .map((name) => [name, read(path.join(root, name))]),
      ),
  };
}

/** The first line of a file. */
export const firstLine = '# svc workflow, format 1';
/** That of a file of a workflow with a `skip` condition. */
export const markedLine = `${firstLine}, compat novu`;

/** The file of a workflow that sends one text message. */
export const smsFile = (id: string, body = 'Hello') =>
  `${firstLine}\nworkflowId: ${id}\nsteps:\n  - { stepId: text, type: sms, controlValues: { body: "${body}" } }\n`;

/** The requests that are not reads. */
export const emailBlock = JSON.stringify({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Hello ' },
        { type: 'variable', attrs: { id: 'subscriber.firstName' } },
      ],
    },
  ],
});

/** A workflow with every kind of content. */
export const fullWorkflow = `${markedLine}
workflowId: full
name: Full
description: "All fields"
tags: [a, b]
active: false
severity: high
validatePayload: false
payloadSchema: { type: object, properties: { name: { type: string } } }
preferences:
  user: { all: { enabled: true, readOnly: false }, channels: { sms: { enabled: false } } }
  default: { all: { enabled: true, readOnly: true }, channels: { email: { enabled: false } } }
steps:
  - { stepId: digest, name: Digest, type: digest, controlValues: { type: regular, amount: 5, unit: minutes } }
  - stepId: inbox
    name: Inbox
    type: in_app
    controlValues:
      subject: Hi {{subscriber.firstName}}
      body: "Two\\nlines"
      primaryAction: { label: Open, redirect: { url: /x, target: _self } }
      secondaryAction: null
      skip: { "==": [{ var: payload.name }, skip] }
  - stepId: block-mail
    name: Block mail
    type: email
    controlValues: { subject: Block, body: { $file: full.block-mail.body.json }, editorType: block, layoutId: frame }
  - stepId: html-mail
    name: HTML mail
    type: email
    controlValues: { subject: HTML, body: { $file: full.html-mail.body.html }, editorType: html }
`;

/** Writes a folder with blocks, conditions, a digest, HTML with CRLF and a layout. */
export function writeFullFolder(folder: WorkflowFolder, root = 'workflows'): void {
  folder.write(`${root}/full.yaml`, fullWorkflow);
  folder.write(`${root}/full.block-mail.body.json`, emailBlock);
  folder.write(
    `${root}/full.html-mail.body.html`,
    '<html>\r\n\t<body>\r\n<p>Hello {{subscriber.firstName}}</p>\r\n</body></html>\r\n',
  );
  folder.write(
    `${root}/layouts/frame.yaml`,
    `${firstLine.replace('workflow', 'layout')}\nlayoutId: frame\nname: Frame\ncontrolValues:\n  email:\n    body: { $file: frame.email.body.html }\n    editorType: html\n`,
  );
  folder.write(
    `${root}/layouts/frame.email.body.html`,
    '<html>\n<body>\n<h1>Frame</h1>\n{{content}}\n</body>\n</html>\n',
  );
}

/** A rig with a folder. */
export async function openWorkflowRig(options: RigOptions = {}) {
  const rig = await openRig(options);
  return { ...rig, files: openFolder(rig) };
}

/** A rig with the profiles development and staging. Staging has no workflows. */
export async function openStaging(options: RigOptions = {}) {
  const { rig, edit } = await openTwoEnvironments(options);
  const { code, stderr } = await rig.svc([
    ...['environments', 'create', 'Staging', '--color', '#112233', '--save-profile', 'staging'],
  ]);
  if (code !== 0) throw new Error(stderr);
  // The service creates environments of type prod. Other tests cover their protection.
  edit(({ profiles: { staging } }) => {
    if (staging) staging.protected = false;
  });
  return { ...rig, files: openFolder(rig), edit };
}
