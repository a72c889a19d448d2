// Checks that every operation of the specification has a command.
import { describe, expect, it } from 'vitest';
import { specifiedIds } from '../../src/api/operations/index.ts';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { commandTree } from '../../src/commands/index.ts';

const commandsOf = (node: Group | Command): Command[] =>
  isGroup(node) ? Object.values(node.commands).flatMap(commandsOf) : [node];

describe('the command tree', async () => {
  const groups = await Promise.all(Object.values(commandTree).map((lazy) => lazy.load()));
  const usedOperations = new Set(
    groups.flatMap(commandsOf).flatMap(({ operations = [] }) => operations),
  );
  it.each(specifiedIds)('has a command for %s', (id) => {
    expect(usedOperations.has(id)).toBe(true);
  });
});
