// Reads the options of `startSandbox`.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTime } from '../core/durations.ts';
import { systemCode, usageError } from '../core/errors.ts';
import { readWorkflowFile, readWorkflowFolder, type Seed } from '../environment/sandbox-state.ts';
import { safeText } from '../output/safe-text.ts';
import {
  checkState,
  eventLine,
  faultProblems,
  type LoggedEvent,
  printLine,
  printWarning,
  readState,
  type SandboxState,
  stepErrors,
  systemClock,
  unmarkedSkipWarning,
} from '../sandbox/index.ts';
import { modes } from '../service/mode.ts';
import { isSandboxKey, sandboxKeyFormat } from '../service/sandbox-key.ts';
import { sandboxVersions } from '../service/versions.ts';
import type { FaultSettings, SandboxOptions } from './types.ts';

const names = [
  'compat',
  'service',
  'seed',
  'time',
  'frozen',
  'key',
  'log',
  'listen',
  'onUnhandled',
  'bridge',
  'allowBridge',
  'allowHttp',
  'faults',
  'strictVariables',
] as const satisfies readonly (keyof SandboxOptions)[];

/** Returns the options in the form of the sandbox. Throws a usage error if one is not valid. */
export function readOptions(options: SandboxOptions) {
  checkNames(options);
  const { compat, service, seed, time, frozen = false, key } = options;
  if (compat !== undefined && !modes.includes(compat))
    throw usageError(
      `The option compat must be 'novu' or 'specification', not ${JSON.stringify(compat)}.`,
    );
  if (service !== undefined && !sandboxVersions.includes(service))
    throw usageError(
      `The option service must be '3.11' or '3.19', not ${JSON.stringify(service)}.`,
    );
  if (key !== undefined && !isSandboxKey(key))
    throw usageError(`The option key must have ${sandboxKeyFormat}.`);
  if (options.onUnhandled !== undefined && !['error', 'ignore'].includes(options.onUnhandled))
    throw usageError(
      `The option onUnhandled must be 'error' or 'ignore', not ${JSON.stringify(options.onUnhandled)}.`,
    );
  const { bridge, allowBridge = [], allowHttp = [] } = options;
  if (bridge !== undefined && !(typeof bridge === 'string' || bridge instanceof URL))
    throw usageError('The option bridge must be an address.');
  if (!Array.isArray(allowBridge) || allowBridge.some((origin) => typeof origin !== 'string'))
    throw usageError('The option allowBridge must be a list of origins.');
  if (!Array.isArray(allowHttp) || allowHttp.some((origin) => typeof origin !== 'string'))
    throw usageError('The option allowHttp must be a list of origins.');
  for (const name of ['frozen', 'listen', 'strictVariables'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      throw usageError(`The option ${name} must be true or false.`);
  return {
    frozen,
    strictVariables: options.strictVariables === true,
    ...logging(options.log),
    onInternalError: (_error: unknown, text: string) => printWarning(safeText(text)),
    queueDelayMs: 0,
    hasPastEvents: false,
    mode: compat,
    service,
    ...(seed === undefined ? {} : { seed: readSeed(seed, compat) }),
    ...(time === undefined ? {} : { time: readTime(time) }),
    ...(key === undefined ? {} : { key }),
    allowedBridges: allowBridge,
    allowedHttp: allowHttp,
    ...(bridge === undefined ? {} : { bridge: String(bridge) }),
    ...(options.faults === undefined ? {} : { faults: readFaults(options.faults) }),
  };
}

function readFaults(faults: NonNullable<SandboxOptions['faults']>): FaultSettings[] {
  const all: FaultSettings[] = [faults].flat();
  const [problem] = all.flatMap(faultProblems);
  if (problem !== undefined) throw usageError(`The option faults is not valid: ${problem}`);
  return all;
}

function logging(log: SandboxOptions['log'] = false) {
  if (log === false) return {};
  if (log !== true && typeof log !== 'function')
    throw usageError('The option log must be true, false or a function.');
  const write = log === true ? printLine : log;
  const onEvent = (event: LoggedEvent) => write(safeText(eventLine(event, systemClock.now())));
  return { onEvent };
}

function checkNames(options: object): void {
  const unknown = Object.keys(options).find((name) => !names.some((own) => own === name));
  if (unknown !== undefined)
    throw usageError(
      `Unknown option of startSandbox: ${unknown}. The options are: ${names.join(', ')}.`,
    );
}

const readTime = (time: string | Date): number =>
  typeof time === 'string' ? parseTime(time) : parseTime(time.toISOString());

/** Throws if a step of a workflow has an error: a test would only see that a message is missing. */
function readSeed(
  seed: NonNullable<SandboxOptions['seed']>,
  compat: SandboxOptions['compat'],
): SandboxState {
  const { name, state, fileOf, markOf } = loadSeed(seed);
  const errors = stepErrors(state, fileOf);
  if (errors.length === 0) {
    if (compat === undefined) warnOnce(unmarkedSkipWarning(state, { name, mode: 'novu', markOf }));
    return state;
  }
  throw usageError('The seed has workflows with errors. Fix these steps:', {
    fieldErrors: errors.map((message) => ({ field: '', message })),
  });
}

const printedWarnings = new Set<string>();

/** Tests start many sandboxes with the same seed. */
function warnOnce(warning: string | undefined): void {
  if (warning === undefined || printedWarnings.has(warning)) return;
  printedWarnings.add(warning);
  printWarning(safeText(warning));
}

type NamedSeed = Seed & { name: string };

const ofState = (name: string, state: SandboxState): NamedSeed => ({
  name,
  state,
  fileOf: () => name,
  markOf: (mode) => `compat: ${mode}`,
});

function loadSeed(seed: NonNullable<SandboxOptions['seed']>): NamedSeed {
  if (typeof seed === 'string') return readSeedFile(seed);
  // Not by `instanceof`, because a test environment can have its own URL class.
  if ('href' in seed) return readSeedFile(fileURLToPath(String(seed.href)));
  const name = 'The option seed';
  return ofState(name, checkState(seed, name));
}

function readSeedFile(file: string): NamedSeed {
  const folder = path.resolve();
  try {
    if (statSync(file).isDirectory()) return { name: file, ...readWorkflowFolder(file, folder) };
    const text = readFileSync(file, 'utf8');
    const workflow = readWorkflowFile(file, text, folder);
    return workflow ? { name: file, ...workflow } : ofState(file, readState(text, file));
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      throw usageError(`The seed ${file} does not exist. Relative paths start in ${folder}.`);
    throw error;
  }
}
