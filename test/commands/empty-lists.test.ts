// Lists without items: nothing matches, or a command creates an item.
import { expect, it } from 'vitest';
import { openAssistant } from '../support/assistant.ts';
import { openRig } from '../support/rig.ts';

const empty = { version: 1 as const, environments: [{ name: 'Development', integrations: [] }] };
const fromFiles = 'Create some from files: svc workflows push <folder-or-file>';
const trigger = 'Trigger an event: svc events trigger';

it.each([
  ['activity list', 'No events.\nTrigger one: svc events trigger'],
  ['contexts list', 'No contexts.\nCreate one: svc contexts create <type> <id>'],
  ['integrations list', 'No integrations.\nCreate one: svc integrations create <provider>'],
  ['layouts list', `No layouts.\n${fromFiles}`],
  ['messages list', `No messages.\n${trigger}`],
  ['runs list', 'No runs.\nStart one: svc subscribers bulk-import <file>'],
  [
    'subscribers list',
    'No subscribers.\nCreate one: svc subscribers create <subscriber-id>\nImport a file: svc subscribers bulk-import <file>',
  ],
  [
    'topics list',
    'No topics.\nCreate one: svc topics subscribe <topic-key> <subscriber-id> --create',
  ],
  ['workflows list', `No workflows.\n${fromFiles}`],
])('an empty `svc %s` proposes a command', async (line, text) => {
  const { svc } = await openRig({ seed: empty });
  const { code, stdout, stderr } = await svc(line.split(' '), { tty: true, columns: 200 });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `${text}\n` });
  const piped = await svc([...line.split(' '), '--json']);
  expect(piped).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
  expect(await svc(line.split(' '))).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

it('an empty list of profiles proposes both ways to create one', async () => {
  const { svc } = await openRig({ bare: true });
  expect((await svc(['profiles', 'list'], { tty: true })).stderr).toBe(
    'No profiles.\nCreate one: svc login\nCreate one without an account: svc sandbox start\n',
  );
});

it.each([
  ['activity list --subscriber zzz', 'No events match.'],
  ['layouts list --query zzz', 'No layouts match.'],
  ['messages list --channel chat --subscriber u1', 'No messages match.'],
  ['subscribers list --email zzz@example.com', 'No subscribers match.'],
  ['topics list --key zzz', 'No topics match.'],
  ['workflows list --tag zzz', 'No workflows match.'],
])('svc %s reports that nothing matches', async (line, text) => {
  const { svc } = await openRig();
  const { code, stderr, stdout } = await svc(line.split(' '), { tty: true });
  expect({ code, text: stderr + stdout }).toEqual({ code: 0, text: `${text}\n` });
});

it('an assistant gets the proposed commands of an empty list as data', async () => {
  const { call, end } = await openAssistant(await openRig({ seed: empty }));
  expect(await call('topics_list')).toMatchObject({
    items: [],
    next: ['svc topics subscribe <topic-key> <subscriber-id> --create'],
  });
  await end();
});
