// The fields that a command's output can have: its own list, or the response schema of its first operation.
import { type FieldTree, responseFields } from '../api/operation-fields.ts';
import type { Command } from '../cli/command.ts';
import { type KnownFields, topLevelFields } from '../output/fields.ts';

/** Returns undefined if the fields are unknown, for example for `svc api`. */
export async function knownFields(
  command: Command,
  input: never,
): Promise<KnownFields | undefined> {
  const { fields } = command;
  const own = typeof fields === 'function' ? fields(input) : fields;
  if (own) return topLevelFields(own);
  const [operation] = command.operations ?? [];
  if (operation === undefined) return undefined;
  const tree = await responseFields(operation);
  return {
    has: (path) => nodeAt(tree, path) !== undefined,
    namesBelow: (path) => Object.keys((path === '' ? tree : nodeAt(tree, path))?.members ?? {}),
  };
}

const nodeAt = (tree: FieldTree, path: string) =>
  path
    .split('.')
    .reduce<FieldTree | undefined>((node, name) => node?.members[name] ?? node?.additional, tree);
