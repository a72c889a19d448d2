// The tools of `svc mcp`, derived from the commands.
import { describe, expect, it } from 'vitest';
import { commandsPage } from '../../scripts/commands-page.ts';
import { skillPage } from '../../scripts/skill-page.ts';
import { type Command, command, type Group, isGroup } from '../../src/cli/command.ts';
import {
  choice,
  flag,
  integer,
  json,
  required,
  rest,
  several,
  text,
} from '../../src/cli/options.ts';
import { commandTree } from '../../src/commands/index.ts';
import { describeTool, loadTools } from '../../src/mcp/tools.ts';
import { noResult } from '../../src/output/result.ts';

const tools = await loadTools(commandTree);
const toolNames = tools.map(({ name }) => name);

it('a tool that reads has no parameter with which its command writes', async () => {
  const doctor = tools.find(({ name }) => name === 'doctor');
  expect(doctor && Object.keys(describeTool(doctor, 'Development').inputSchema.properties)).toEqual(
    ['fields'],
  );
  const writing = tools.filter(({ writes, command: { writes: commandWrites } }) => {
    return !writes && commandWrites !== false;
  });
  expect(writing.map(({ name }) => name)).toEqual(['doctor']);
});

async function allCommands(): Promise<{ path: string[]; node: Command }[]> {
  const below = (path: string[], node: Group | Command): { path: string[]; node: Command }[] =>
    isGroup(node)
      ? Object.entries(node.commands).flatMap(([name, child]) => below([...path, name], child))
      : [{ path, node }];
  const loaded = Object.entries(commandTree).map(async ([noun, { load }]) =>
    below([noun], await load()),
  );
  return (await Promise.all(loaded)).flat();
}

const ping = command({
  summary: 'Ping a host',
  arguments: {
    host: required('<host-name>', 'Name of the host'),
    given: rest('[probe-id...]', 'Ids of the probes'),
  },
  options: {
    count: integer('--count <n>', 'Number of pings', { min: 1, max: 9 }),
    size: choice('--size <size>', ['small', 'large'], 'Size of a ping'),
    label: several('--label <text>', 'A label'),
    fast: flag('--fast', 'Ping fast'),
    payload: json('--payload <json|@file|->', 'Data of the ping'),
    log: text('--log <file>', 'Write the answers to this file', { complete: 'files' }),
    toProfile: text('--to <profile>', 'Ping this profile', { complete: 'profiles' }),
    open: flag('--open', 'Open a browser', { tool: false }),
  },
  output: 'The answers.',
  examples: {
    'svc pings send example': 'Ping once',
    'svc pings send example --count 3': 'Ping three times',
  },
  writes: false,
  run: async () => noResult,
});
const extended = {
  ...commandTree,
  pings: {
    section: 'Service',
    summary: 'Ping hosts',
    load: async (): Promise<Group> => ({
      summary: 'Ping hosts',
      commands: { 'send-now': ping, list: { ...ping, tool: 'read' } },
    }),
  },
};

describe('a command that is added to the tree', () => {
  it('is a tool with a schema, which counts as writing unless it declares otherwise', async () => {
    const added = (await loadTools(extended)).filter(({ path }) => path[0] === 'pings');
    expect(added.map(({ name, writes }) => [name, writes])).toEqual([
      ['pings_send_now', true],
      ['pings_list', false],
    ]);
    const [writing, reading] = added.map((tool) => describeTool(tool, 'Staging'));
    expect(reading).toEqual({
      name: 'pings_list',
      title: 'svc pings list',
      description: 'Ping a host. Result: The answers.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        required: ['host'],
        additionalProperties: false,
        properties: {
          host: { type: 'string', description: 'Name of the host' },
          probeIds: { type: 'array', items: { type: 'string' }, description: 'Ids of the probes' },
          count: { type: 'integer', minimum: 1, maximum: 9, description: 'Number of pings' },
          size: { type: 'string', enum: ['small', 'large'], description: 'Size of a ping' },
          label: { type: 'array', items: { type: 'string' }, description: 'A label' },
          fast: { type: 'boolean', description: 'Ping fast' },
          payload: { type: 'object', description: 'Data of the ping' },
          log: { type: 'string', description: 'Write the answers to this file' },
          fields: {
            type: 'array',
            items: { type: 'string' },
            description: 'Print only these fields, in any format',
          },
        },
      },
    });
    expect(Object.keys(writing?.inputSchema.properties ?? {})).toEqual([
      ...Object.keys(reading?.inputSchema.properties ?? {}),
      ...['dryRun', 'idempotencyKey', 'confirm'],
    ]);
  });

  it('is in the skill and in the reference', async () => {
    expect(await skillPage(extended)).toContain('`svc pings send-now <host-name> [probe-id...]`');
    expect(await commandsPage(extended)).toContain('### svc pings send-now');
  });
});

describe('the commands', () => {
  it('declare what their tools do, if they do not write to the service', async () => {
    const open = (await allCommands()).filter(
      ({ path, node }) =>
        node.writes === false &&
        node.tool === undefined &&
        commandTree[path[0] ?? '']?.tools !== false,
    );
    expect(open.map(({ path }) => path.join(' '))).toEqual([]);
  });

  it('do not declare that they read if they write', async () => {
    const wrong = (await allCommands()).filter(
      ({ node }) =>
        (node.tool === 'read' || node.tool === 'rare') &&
        (node.writes === true || node.localOnly || node.gracefulShutdown === true),
    );
    expect(wrong.map(({ path }) => path.join(' '))).toEqual([]);
  });

  it('have one tool each, except those for a person', async () => {
    const without = (await allCommands())
      .filter(({ node }) => !node.hidden)
      .map(({ path }) => path.join(' '))
      .filter((line) => !toolNames.includes(line.replaceAll(/[ -]/g, '_')));
    expect(without.filter((line) => !/^(profiles|config) /.test(line))).toEqual([
      'workflows promote',
      'runs fix',
      'sandbox start',
      'sandbox exec',
      'sandbox open',
      'demo',
      'api',
      'mcp',
      'completion',
      'login',
      'logout',
    ]);
    expect(without).toContain('config reset');
    expect(new Set(toolNames).size).toBe(toolNames.length);
  });
});

describe('the parameters', () => {
  it('of the tools that read name files to read alone', () => {
    const files = tools
      .filter(({ writes }) => !writes)
      .flatMap(({ name, parameters: { args, options } }) =>
        [...args.filter((arg) => arg !== 'profile'), ...options]
          .filter(({ file }) => file !== undefined)
          .map((parameter) => `${name} ${parameter.name}`),
      );
    expect(files.sort()).toEqual([
      'diff dir',
      'upgrade_check dir',
      'upgrade_check requests',
      'workflows_preview workflowId',
      'workflows_replay events',
      'workflows_replay folder',
      'workflows_validate folderOrFiles',
    ]);
  });

  it('of a tool that writes have no dry run if its command only changes what is not sent', () => {
    const namesOf = ({ parameters }: (typeof tools)[number]) =>
      parameters.options.map(({ name }) => name);
    const without = tools.filter((tool) => tool.writes && !namesOf(tool).includes('dryRun'));
    expect(without.every((tool) => namesOf(tool).includes('idempotencyKey'))).toBe(true);
    const names = without.map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith('sandbox_'))).toEqual([
      'runs_merge',
      'runs_delete',
    ]);
    expect(names).toContain('sandbox_reset');
    expect(names).not.toContain('sandbox_pull');
  });

  it('select no profile, show no secret, answer no question and read no variable', () => {
    for (const tool of tools) {
      const { name, description, inputSchema } = describeTool(tool, 'Development');
      const { args, options } = tool.parameters;
      const names = [...args, ...options].map((entry) =>
        typeof entry === 'string' ? entry : entry.name,
      );
      expect({ name, unique: new Set(names).size }).toEqual({ name, unique: names.length });
      const { confirm: _confirm, ...properties } = inputSchema.properties as Record<string, object>;
      expect({ name, names: Object.keys(properties) }).toEqual({
        name,
        names: expect.not.arrayContaining(['profile', 'baseUrl', 'apiKeyFile', 'reveal', 'yes']),
      });
      const hidden = Object.keys(properties).filter((key) => /profile|reveal|keyFile/i.test(key));
      expect({ name, hidden }).toEqual({ name, hidden: [] });
      expect({ name, text: JSON.stringify(properties) }).toEqual({
        name,
        text: expect.not.stringMatching(/@file|env:|--profile|"profile":/i),
      });
      expect(description).not.toBe('');
    }
  });
});
