// The options of `svc sandbox start`, and the same options as words for the start in the background.
import type { Values } from '../../cli/command.ts';
import { flag, integer, several, text } from '../../cli/options.ts';
import { faultArguments, faultOptions } from './faults/options.ts';
import { timeOption } from './time.ts';

export const startOptions = {
  port: integer('--port <n>', 'Port to listen on; 0 takes a free one', {
    min: 0,
    max: 65_535,
    defaultText: '4400',
  }),
  host: text('--host <address>', 'Address to listen on', { defaultText: '127.0.0.1' }),
  allowHost: several(
    '--allow-host <name>',
    'Answer requests for this host name too; needed beyond loopback',
  ),
  data: text('--data <folder>', 'Keep the data here; else in a folder of the profile', {
    complete: 'files',
    conflicts: ['inMemory'],
  }),
  inMemory: flag('--in-memory', 'Keep no data: everything is gone when it stops'),
  seed: text('--seed <file>', 'What an empty sandbox begins with, and a reset goes back to', {
    complete: 'files',
  }),
  envelope: flag('--envelope', 'Wrap responses in {"data": …}, as some servers do'),
  time: timeOption('--time <ISO>', 'Time in the sandbox at the start; default: the real time'),
  frozen: flag('--frozen', 'Time stands still, but for `svc sandbox clock`'),
  detach: flag('--detach', 'Run in the background; return when it accepts connections'),
  profileName: text('--profile-name <name>', 'Name of the profile that it makes', {
    defaultText: 'sandbox, else the first free of sandbox-2, sandbox-3, …',
  }),
  noProfile: flag('--no-profile', 'Make no profile; without --data, delete the data at the stop', {
    conflicts: ['profileName', 'profile', 'reuse'],
  }),
  reuse: flag('--reuse', 'If the sandbox of the profile already runs, print its facts and end'),
  ...faultOptions,
};

export type StartOptions = Partial<Values<typeof startOptions>>;

/** The options that give these values, for another command line. */
export function startArguments(options: StartOptions): string[] {
  const { port, host, allowHost = [], data, seed, time, profileName, ...more } = options;
  const value = (name: string, given: string | number | undefined) =>
    given === undefined ? [] : [`--${name}=${given}`];
  const on = (name: string, given: boolean | undefined) => (given ? [`--${name}`] : []);
  return [
    ...value('port', port),
    ...value('host', host),
    ...allowHost.map((name) => `--allow-host=${name}`),
    ...value('data', data),
    ...on('in-memory', more.inMemory),
    ...value('seed', seed),
    ...on('envelope', more.envelope),
    ...value('time', time === undefined ? undefined : new Date(time).toISOString()),
    ...on('frozen', more.frozen),
    ...value('profile-name', profileName),
    ...on('no-profile', more.noProfile),
    ...on('reuse', more.reuse),
    ...faultArguments(more),
  ];
}
