// Checks that every operation has a command, except those that only the sandbox needs.
import { describe, expect, it } from 'vitest';
import { bulkOptions, optionsWith, skipCanaryOption } from '../../src/bulk/command/options.ts';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { commandTree } from '../../src/commands/index.ts';
import { currentIds, type OperationId, specifiedIds } from '../../src/service/operations/index.ts';

const listCommands = (node: Group | Command): Command[] =>
  isGroup(node) ? Object.values(node.commands).flatMap(listCommands) : [node];

/** Served by the sandbox for its users and for svc commands that move whole environments. */
const withoutCommand: readonly OperationId[] = [
  'createSubscriber',
  'getTopicSubscriber',
  'setNotificationAction',
  'setOnlineStatus',
  'replaceSubscriberCredentials',
  'markAllInboxNotifications',
  'listActiveIntegrations',
  'listEnvironmentTags',
  'triggerEvent',
  'getActivityStats',
  'getCurrentEnvironment',
  'getWebhookStatus',
  'listApiKeys',
  'listExecutionDetails',
  'markMessagesV1',
  'readNotification',
  'unreadNotification',
  'seeNotifications',
  'readNotifications',
  'archiveNotifications',
  'archiveReadNotifications',
  'deleteNotifications',
];
/** Commands for workflow files use these. */
const forFiles = /^(create|update)Workflow$|Layout/;

describe('the command tree', async () => {
  const groups = await Promise.all(Object.values(commandTree).map((lazy) => lazy.load()));
  const usedOperations = new Set(
    groups.flatMap(listCommands).flatMap(({ operations = [] }) => operations),
  );
  it.each(specifiedIds)('has a command for %s', (id) => {
    expect(usedOperations.has(id)).toBe(true);
  });

  it('has no option that may change on resume, except those of all bulk commands', () => {
    const changeable = groups
      .flatMap(listCommands)
      .flatMap(({ options = {} }) => [...optionsWith('changeable', options)]);
    const common = optionsWith('changeable', { ...bulkOptions, ...skipCanaryOption });
    expect(new Set(changeable)).toEqual(common);
  });

  it('has a command for every other operation, except those listed here', () => {
    const unused = currentIds.filter((id) => !usedOperations.has(id) && !forFiles.test(id));
    expect(unused.sort()).toEqual([...withoutCommand].sort());
  });
});
