// Lists every command with one of its examples, split into arguments.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { commandTree } from '../../src/commands/index.ts';
import { examples319, inbox319 } from '../support/inbox-319.ts';
import { openRig, type Rig, type RigOptions, writeInput } from '../support/rig.ts';

export interface CommandLine {
  /** The path of the command, such as `topics list`. */
  name: string;
  command: Command;
  /** The arguments of an example without shell syntax; empty if the command has no such example. */
  args: string[];
}

const listCommands = (path: string, node: Group | Command): [string, Command][] =>
  isGroup(node)
    ? Object.entries(node.commands).flatMap(([name, child]) =>
        listCommands(`${path} ${name}`, child),
      )
    : [[path, node]];

/** Shell operators and variables, options that change the output, and arguments that refer to a file or variable. */
const excluded = /[|<>$@]|--jq|--json|--dry-run|-o |env:/;

const exampleWithoutShell = ({ examples, readExamples = [] }: Command) =>
  Object.keys(examples).find(
    (line) => !readExamples.includes(line) && line.startsWith('svc ') && !excluded.test(line),
  );

/** Splits a command line like a shell and drops `svc`. */
const splitArgs = (line: string) =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
    .slice(1)
    .map((word) =>
      word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single),
    );

export async function commandLines(): Promise<CommandLine[]> {
  const loaded = await Promise.all(
    Object.entries(commandTree).map(async ([noun, lazy]) => listCommands(noun, await lazy.load())),
  );
  return loaded
    .flat()
    .map(([name, command]) => ({
      name,
      command,
      args: splitArgs(exampleWithoutShell(command) ?? ''),
    }));
}

/**
 * Creates what the examples need: files to import and to push, layouts, profiles, an environment to delete, and a run.
 * `svc login` does not replace the profiles. The rig then also answers the routes of newer servers that examples need.
 */
export async function prepareExamples(rig: Rig, name = ''): Promise<Rig> {
  writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
  writeInput(rig, 'preferences.csv', 'subscriberId,workflow,email\nu1,welcome,off\n');
  writeInput(rig, 'tokens.csv', 'subscriberId,provider,deviceTokens\nu1,fcm,token-1\n');
  mkdirSync(path.join(rig.folder, 'workflows'));
  writeInput(rig, 'workflows/a.yaml', '# svc workflow, format 1\nworkflowId: a\n');
  // The workflow of the events.
  if (name === 'workflows replay')
    writeInput(rig, 'workflows/welcome.yaml', '# svc workflow, format 1\nworkflowId: welcome\n');
  mkdirSync(path.join(rig.folder, 'environment'));
  writeInput(rig, 'environment/environment.yaml', '# svc environment, format 1\n');
  writeInput(
    rig,
    'environment/topics.yaml',
    '# svc topics, format 1\n- { key: announcements, name: News }\n',
  );
  for (const layoutId of ['default-layout', 'newsletter'])
    await rig.svc(['api', 'POST', '/v2/layouts', '-f', `layoutId=${layoutId}`, '-f', 'name=Mail']);
  if (name !== 'login') await rig.svc(['environments', 'list', '--save-profiles']);
  await rig.svc(['environments', 'create', 'Staging EU', '--color', '#2f9e44']);
  await rig.svc(['events', 'trigger', 'welcome', '--recipients', 'users.csv', '--yes']);
  rig.answerBy(inbox319(examples319()));
  return rig;
}

/** Commands whose operations only later servers have. */
const needsLater = /^(subscribers channels|environments variables|topics subscriptions) /;

/**
 * Opens a rig with what the examples of a command need, in the version of the service that has its operations. `begin`
 * is called first.
 */
export async function openExamples(
  name: string,
  options: RigOptions = {},
  begin: (rig: Rig) => Promise<void> = async () => undefined,
): Promise<Rig> {
  const isLater = needsLater.test(`${name} `);
  const rig = await openRig(isLater ? { ...options, service: '3.19' } : options);
  await begin(rig);
  if (!isLater) return prepareExamples(rig, name);
  writeInput(
    rig,
    'people.channels.csv',
    'subscriberId,kind,identifier,integration,type,endpoint\nu2,endpoint,end-2,slack-1,slack_user,"{""userId"":""U2""}"\n',
  );
  mkdirSync(path.join(rig.folder, 'workflows'));
  writeInput(
    rig,
    'workflows/a.yaml',
    '# svc workflow, format 1\nworkflowId: a\nsteps:\n  - stepId: inbox\n    type: in_app\n    controlValues: { body: "{{env.BASE_URL}}" }\n',
  );
  const channel = ['subscribers', 'channels', 'set', 'u1', '--integration', 'slack-1'];
  for (const line of [
    ['integrations', 'create', 'slack', '--channel', 'chat', '--identifier', 'slack-1'],
    [...channel, '--identifier', 'conn-1', '--workspace', 'T1', '--auth', 'accessToken=x'],
    [...channel, '--identifier', 'end-1', '--type', 'slack_user', '--endpoint', 'userId=U0'],
    ['environments', 'variables', 'set', 'BASE_URL', '--value', 'https://example.com'],
    ['workflows', 'push', '--yes'],
    ['topics', 'subscribe', 'announcements', 'u1', '--identifier', 'u1-premium'],
  ])
    await rig.svc(line);
  return rig;
}
