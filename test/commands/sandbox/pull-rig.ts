// Pulls the environment of a new sandbox to a state file.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { readState, type SandboxState } from '../../support/sandbox-311.ts';

export const readFile = ({ folder }: Rig, name = 'state.yaml') =>
  readFileSync(path.join(folder, name), 'utf8');

export const stateIn = (rig: Rig, name?: string) =>
  firstEnvironment(readState(readFile(rig, name), 'file'));

type Environment = SandboxState['environments'][number];
type Complete = { [Name in keyof Environment]-?: Exclude<Environment[Name], undefined> };

/** The first environment of a state, with all lists. */
export function firstEnvironment({ environments: [environment] }: SandboxState): Complete {
  const lists = { integrations: [], layouts: [], workflows: [], subscribers: [], topics: [] };
  return { ...lists, contexts: [], ...environment } as unknown as Complete;
}

/** Pulls the environment of a sandbox with this state to state.yaml. */
export async function pullState(seed: SandboxState, more: readonly string[] = ['--sample', '100']) {
  const rig = await openRig({ seed });
  const ran = await rig.svc(['sandbox', 'pull', '--file', 'state.yaml', '--json', ...more]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  const text = readFile(rig);
  const state = readState(text, 'state.yaml');
  return { rig, ran, text, state, content: firstEnvironment(state), summary: parsed(ran.stdout) };
}
