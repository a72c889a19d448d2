// The options of `svc sandbox start`, and their conversion to arguments for a start in the background.
import type { Option, Values } from '../../cli/command.ts';
import { duration, flag, integer, several, text } from '../../cli/options.ts';
import { parseTime } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import { isOrigin } from '../../core/loopback.ts';
import { shellLine } from '../../core/text.ts';
import { faultArguments, faultOptions } from './faults/options.ts';
import { compatOption, keyFileOption, serviceOption } from './open-server.ts';
import { strictOption } from './seed-files.ts';

/** The content and the behavior of the sandbox, for `start` and `exec`. */
export const contentOptions = {
  seed: text(
    '--seed <file|folder>',
    'State file, workflow file or folder of workflow files, to use as the initial data and for resets',
    { complete: 'files' },
  ),
  strict: strictOption,
  compat: compatOption(
    'novu: like the service; specification: like its specification, where the two differ',
    {
      variable: 'SVC_SANDBOX_COMPAT',
      defaultText: 'the mode of the data or the state file, else novu',
    },
  ),
  service: serviceOption('Version of the service that the sandbox behaves like', {
    variable: 'SVC_SANDBOX_SERVICE',
    defaultText: 'the version of the data or the state file, else 3.19',
  }),
  queueDelay: duration(
    '--queue-delay <duration>',
    'Create the jobs of an event this long after the response, in the time of this machine',
    { defaultText: '50ms; 0 with --compat specification' },
  ),
  envelope: flag('--envelope', 'Wrap responses in {"data": …} with --compat specification, too'),
  time: {
    flags: '--time <ISO>',
    summary: 'Time in the sandbox at the start',
    read: parseTime,
    defaultText: 'the time of this machine',
  },
  frozen: flag('--frozen', 'Freeze the clock; only `svc sandbox clock` moves it'),
  strictVariables: flag(
    '--strict-variables',
    'Fail the step of a message whose templates have missing variables',
  ),
  keyFile: keyFileOption,
  bridge: text(
    '--bridge <url>',
    'Endpoint of an application that defines workflows by code, such as http://127.0.0.1:4000/api/novu',
  ),
  allowBridge: several(
    '--allow-bridge <origin>',
    'Also call endpoints of this origin, such as http://app:4000; by default, only endpoints on this machine',
    { rare: true },
  ),
  allowHttp: several(
    '--allow-http <origin>',
    'Also send the requests of http_request steps to this origin, such as https://api.example.com; others than this machine get none, and their step a response without content',
    { rare: true },
  ),
};

export const allowOriginOption: Option<string[]> = {
  flags: '--allow-origin <origin>',
  summary: 'Also accept requests of web pages of this origin to the inbox and its socket',
  defaultText: 'only pages on loopback',
  repeat: true,
  read: (origin) => {
    if (isOrigin(origin)) return [origin];
    throw usageError(
      `\`${origin}\` is not an origin: write scheme, host and port alone, such as https://app.example.com`,
    );
  },
  rare: true,
};

export const logOption = flag(
  '--log',
  'Print a line for each request and each message on standard error',
);

export const startOptions = {
  port: integer('--port <n>', 'Port to listen on; 0 selects a free port', {
    min: 0,
    max: 65_535,
    defaultText: '4400',
  }),
  host: text('--host <address>', 'Address to listen on', { defaultText: '127.0.0.1', rare: true }),
  allowHost: several(
    '--allow-host <name>',
    'Also accept requests for this host name; required if --host is not a loopback address',
    { rare: true },
  ),
  allowOrigin: allowOriginOption,
  data: text('--data <folder>', 'Folder for the data', {
    defaultText: 'a folder per profile',
    complete: 'files',
    conflicts: ['inMemory'],
    rare: true,
  }),
  inMemory: flag('--in-memory', 'Keep the data in memory; it is lost when the sandbox stops'),
  ...contentOptions,
  detach: flag('--detach', 'Run in the background; return when the sandbox accepts connections'),
  profileName: text('--profile-name <name>', 'Name of the profile to create', {
    defaultText: 'sandbox, else the first free of sandbox-2, sandbox-3, …',
    tool: false,
  }),
  noProfile: flag(
    '--no-profile',
    'Do not create a profile; delete the data on stop, unless --data is given',
    { conflicts: ['profileName', 'profile', 'reuse'], tool: false },
  ),
  open: flag('--open', 'Open the page of the sandbox in the browser'),
  reuse: flag(
    '--reuse',
    'If the sandbox of the profile is already running, print its address and exit',
  ),
  watch: flag(
    '--watch',
    'Follow the folder of --seed: load a workflow file again when it changes, and report broken files',
    { conflicts: ['reuse'] },
  ),
  log: { ...logOption, conflicts: ['detach'] },
  ...faultOptions,
};

export type StartOptions = Partial<Values<typeof startOptions>>;

/** Converts option values back to command-line arguments. */
export function startArguments(options: StartOptions): string[] {
  const { port, host, allowHost = [], allowOrigin = [], ...rest } = options;
  const { data, seed, time, profileName, ...others } = rest;
  const valueArgument = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name}=${value}`];
  const flagArgument = (name: string, value: boolean | undefined) => (value ? [`--${name}`] : []);
  return [
    ...valueArgument('port', port),
    ...valueArgument('host', host),
    ...allowHost.map((name) => `--allow-host=${name}`),
    ...allowOrigin.map((origin) => `--allow-origin=${origin}`),
    ...valueArgument('data', data),
    ...flagArgument('in-memory', others.inMemory),
    ...valueArgument('seed', seed),
    ...flagArgument('watch', others.watch),
    ...flagArgument('strict', others.strict),
    ...valueArgument('compat', others.compat),
    ...valueArgument('service', others.service),
    ...valueArgument(
      'queue-delay',
      others.queueDelay === undefined ? undefined : `${others.queueDelay}ms`,
    ),
    ...flagArgument('envelope', others.envelope),
    ...valueArgument('time', time === undefined ? undefined : new Date(time).toISOString()),
    ...flagArgument('frozen', others.frozen),
    ...flagArgument('strict-variables', others.strictVariables),
    ...valueArgument('key-file', others.keyFile),
    ...valueArgument('bridge', others.bridge),
    ...(others.allowBridge ?? []).map((origin) => `--allow-bridge=${origin}`),
    ...(others.allowHttp ?? []).map((origin) => `--allow-http=${origin}`),
    ...valueArgument('profile-name', profileName),
    ...flagArgument('no-profile', others.noProfile),
    ...flagArgument('reuse', others.reuse),
    ...flagArgument('log', others.log),
    ...faultArguments(others),
  ];
}

/** The command that starts a sandbox with these options. */
function startCommand({ detach, open, ...options }: StartOptions): string {
  const words = [
    ...(detach ? ['--detach'] : []),
    ...(open ? ['--open'] : []),
    ...startArguments(options),
  ].flatMap((argument) => argument.split(/=(.*)/s, 2));
  return shellLine(['svc', 'sandbox', 'start', ...words]);
}

/** The command that uses the running sandbox of a profile. */
export function reuseCommand(options: StartOptions, name: string): string {
  const { port: _port, profileName: _profileName, ...others } = options;
  const named = name === 'sandbox' ? {} : { profileName: name };
  return startCommand({ ...others, ...named, reuse: true });
}

interface AnotherStart {
  options: StartOptions;
  /** Path of the data folder given with --data. */
  dataPath: string | undefined;
}

/** The command that starts another sandbox beside the running one, with its own profile and data. */
export function startAnotherCommand(
  { options: { data, ...options }, dataPath }: AnotherStart,
  running?: { name: string; storage: string },
): string {
  const hasName = running !== undefined && options.profileName === running.name;
  const profile = hasName ? { profileName: `${running.name}-2` } : {};
  const folder = data === undefined || dataPath === running?.storage ? {} : { data };
  return startCommand({ ...options, ...folder, ...profile, reuse: false, port: 0 });
}
