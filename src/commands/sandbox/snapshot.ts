// The commands of snapshots: each calls one control route.
import { command } from '../../cli/command.ts';
import { flag, required } from '../../cli/options.ts';
import { ifExists, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { Snapshot } from '../../sandbox/control/client.ts';
import { callControl, connectSandbox, sandboxProfile } from './connect.ts';

const nameArgument = required('<name>', 'Letters, digits, dots, dashes and underscores');

const columns: readonly result.Column<Snapshot>[] = [
  { field: 'name', header: 'NAME' },
  { field: 'createdAt', header: 'CREATED', time: true },
  { field: 'time', header: 'TIME IN THE SANDBOX' },
  { field: 'events', header: 'EVENTS', right: true },
  { field: 'messages', header: 'MESSAGES', right: true },
];

const contentOf = ({ events, messages }: Snapshot) =>
  `${counted(events, 'event')} and ${counted(messages, 'message')}`;

const shared = {
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  exitCodes: ['notFound'],
} as const;

export const save = command({
  ...shared,
  summary: 'Save the state of the sandbox',
  arguments: { name: nameArgument },
  options: { replace: flag('--replace', 'Replace a snapshot of the same name') },
  output: 'The snapshot: {name, createdAt, time, events, messages}.',
  fields: ['name', 'createdAt', 'time', 'events', 'messages'],
  examples: {
    'svc sandbox snapshot save before-import': 'Save the present state',
    'svc sandbox snapshot save nightly --replace': 'Replace an earlier one',
  },
  async run(context, { args: { name }, options: { replace = false } }) {
    const connected = await connectSandbox(context);
    const { snapshots } = await callControl(connected, (control) => control.snapshots());
    if (!replace && snapshots.some((snapshot) => snapshot.name === name))
      throw usageError(`Snapshot ${name} exists.`, {
        hint: 'Choose another name, or replace it with --replace.',
      });
    const saved = await callControl(connected, ({ saveSnapshot }) => saveSnapshot(name));
    return result.report({
      value: saved,
      lines: [`Saved ${contentOf(saved)} of the ${connected.title} as ${name}.`],
      ids: [name],
    });
  },
});

export const restore = command({
  ...shared,
  summary: 'Return to a saved state',
  details: 'All that was written since is lost. Save it first if you need it.',
  arguments: { name: nameArgument },
  output: 'The snapshot: {name, createdAt, time, events, messages, restored}.',
  fields: ['name', 'createdAt', 'time', 'events', 'messages', 'restored'],
  examples: {
    'svc sandbox snapshot restore before-import': 'Undo what came after',
    'svc sandbox snapshot restore nightly -q': 'Print nothing on success',
  },
  async run(context, { args: { name } }) {
    const connected = await connectSandbox(context);
    const restored = await callControl(connected, ({ restoreSnapshot }) => restoreSnapshot(name));
    return result.report({
      value: restored,
      lines: [`Restored ${name}: ${contentOf(restored)}, at ${restored.time}.`],
      ids: [name],
    });
  },
});

export const list = command({
  summary: 'List the snapshots of the sandbox, oldest first',
  output:
    'One line for each snapshot; as JSON, a list of {name, createdAt, time, events, messages}.',
  fields: ['name', 'createdAt', 'time', 'events', 'messages'],
  writes: false,
  tool: 'read',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox snapshot list': 'List all',
    'svc sandbox snapshot list -o ids': 'Only their names',
  },
  async run(context) {
    const connected = await connectSandbox(context);
    const { snapshots } = await callControl(connected, (control) => control.snapshots());
    return result.list({
      pages: result.onePage(snapshots),
      columns,
      id: ({ name }) => name,
      ...result.emptyList('snapshots', {}, { 'Save one': 'svc sandbox snapshot save <name>' }),
    });
  },
});

export const deleteSnapshot = command({
  ...shared,
  summary: 'Delete a snapshot',
  arguments: { name: nameArgument },
  output: '{name, deleted}.',
  fields: ['name', 'deleted'],
  examples: {
    'svc sandbox snapshot delete nightly': 'Delete one',
    'svc sandbox snapshot delete before-import -q': 'Print nothing on success',
  },
  async run(context, { args: { name } }) {
    const connected = await connectSandbox(context);
    const removed = await ifExists(
      callControl(connected, (control) => control.removeSnapshot(name)),
    );
    return result.report({
      value: { name, deleted: removed !== undefined },
      lines: [
        removed ? `Deleted snapshot ${name}.` : `Snapshot ${shellWord(name)} does not exist.`,
      ],
      ids: [name],
      ...(removed ? {} : { end: result.exit('notFound') }),
    });
  },
});
