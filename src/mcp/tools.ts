// The tools of `svc mcp`: one for each command of the tree.
import { type Command, type CommandTree, type Group, isGroup } from '../cli/command.ts';
import { type Parameters, toParameters } from './parameters.ts';

export interface Tool {
  /** `subscribers_bulk_import` for `svc subscribers bulk-import`. */
  name: string;
  path: readonly string[];
  command: Command;
  writes: boolean;
  /** It controls the sandbox itself, so that other services have no use for it. */
  needsSandbox: boolean;
  parameters: Parameters;
}

/** Loads all commands. A command that declares no tool counts as one that writes. */
export async function loadTools(tree: CommandTree): Promise<Tool[]> {
  const nouns = Object.entries(tree).filter(([, { tools }]) => tools !== false);
  const loaded = await Promise.all(
    nouns.map(async ([noun, { load }]) => toolsBelow([noun], await load())),
  );
  return loaded.flat();
}

function toolsBelow(path: readonly string[], node: Group | Command): Tool[] {
  if (isGroup(node)) {
    return Object.entries(node.commands).flatMap(([name, child]) =>
      toolsBelow([...path, name], child),
    );
  }
  if (node.hidden || node.tool === 'none') return [];
  const writes = node.tool !== 'read';
  return [
    {
      name: path.join('_').replaceAll('-', '_'),
      path,
      command: node,
      writes,
      needsSandbox: path[0] === 'sandbox',
      parameters: toParameters(node, writes),
    },
  ];
}

/** The tool as `tools/list` describes it. `environment` is the value of `confirm`. */
export function describeTool(
  { name, path, command, writes, parameters }: Tool,
  environment: string,
) {
  const { args, options } = parameters;
  const named = [...args.filter((arg) => arg !== 'profile'), ...options];
  const properties = Object.fromEntries(
    named.map((parameter) => [parameter.name, parameter.schema]),
  );
  const confirm = {
    type: 'string',
    description: `The name of the environment, ${environment}: confirms what the command would ask a person`,
  };
  return {
    name,
    title: `svc ${path.join(' ')}`,
    description: `${command.summary}. Result: ${command.output}`,
    inputSchema: {
      type: 'object' as const,
      properties: { ...properties, ...(writes ? { confirm } : {}) },
      required: named.filter(({ isRequired }) => isRequired).map((parameter) => parameter.name),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: !writes },
  };
}
