// Every member of a response is in the files of svc, or is listed with the reason why it is not.
import { expect, it } from 'vitest';
import { exportState } from '../../src/sandbox/state/export-state.ts';
import { readState, writeState } from '../../src/sandbox/state/file.ts';
import type { SandboxState } from '../../src/sandbox/state/schema.ts';
import { sandboxVersions } from '../../src/service/versions.ts';
import { pullState } from '../commands/sandbox/pull-rig.ts';
import { openSandbox } from '../sandbox/open.ts';
import { copyEnvironment } from '../support/copied-environment.ts';
import { fullState } from '../support/full-state.ts';
import {
  type FileKind,
  leftOut,
  leftOutEverywhere,
  type Reasons,
  schemas,
} from '../support/left-out.ts';
import {
  type Get,
  type Instances,
  isWithin,
  lostPaths,
  readInstances,
  sandboxGet,
  unseenPaths,
  withoutEnvelope,
} from '../support/members.ts';
import { parsed, type Rig } from '../support/rig.ts';

const rigGet =
  ({ svc }: Rig): Get =>
  async (path) => {
    const { code, stdout } = await svc(['api', 'GET', path, '--json', '--reveal']);
    expect({ path, code }).toEqual({ path, code: 0 });
    return withoutEnvelope(parsed(stdout));
  };

type Version = (typeof sandboxVersions)[number];

/** Without the workflow that is defined in code, which the files of an environment leave out. */
const editedState: SandboxState = {
  ...fullState,
  environments: fullState.environments.map(({ workflows = [], ...environment }) => ({
    ...environment,
    workflows: workflows.filter(({ origin }) => origin === undefined),
  })),
};
const stateOf = (file: FileKind) => (file === 'environments pull' ? editedState : fullState);

/** The value that a variable has for a push. */
function secretText(identifier: string, name: string): string {
  const [{ integrations = [] } = {}] = fullState.environments;
  const { credentials = {} } = integrations.find((one) => one.identifier === identifier) ?? {};
  const value: unknown = Reflect.get(credentials, name);
  return typeof value === 'string' ? value : JSON.stringify(value ?? name);
}

/** Each makes a file of the full state, and returns what the place has that was made of the file. */
const copies: Record<FileKind, (service: Version) => Promise<Instances>> = {
  async 'sandbox export'(service) {
    const { store } = await openSandbox({ seed: fullState, service });
    const seed = readState(writeState(exportState(store, true)), 'state.yaml');
    return readInstances(sandboxGet(await openSandbox({ seed })));
  },
  async 'sandbox pull'(service) {
    const more = ['--sample', '100', '--with-personal-data', '--keep-data'];
    const { state } = await pullState({ ...fullState, service }, more);
    return readInstances(sandboxGet(await openSandbox({ seed: state, service })));
  },
  async 'environments pull'(service) {
    const { target } = await copyEnvironment({ service, seed: editedState }, secretText);
    return readInstances(rigGet(target));
  },
};

const isListedEverywhere = (path: string) =>
  path.split(/ |\[\]\.?|\./).some((name) => Object.hasOwn(leftOutEverywhere, name));

/** The paths as `topic name`, without those that are listed for every resource. */
async function lostMembers(file: FileKind): Promise<string[]> {
  const sources: Instances[] = [];
  const lost: string[] = [];
  const kinds = Object.entries(schemas);
  for (const service of sandboxVersions) {
    const sandbox = await openSandbox({ seed: stateOf(file), service });
    const source = await readInstances(sandboxGet(sandbox));
    const copy = await copies[file](service);
    sources.push(source);
    for (const [kind] of kinds)
      lost.push(
        ...lostPaths(source[kind] ?? [], copy[kind] ?? []).map((path) => `${kind} ${path}`),
      );
  }
  for (const [kind, schema] of kinds) {
    const all = sources.flatMap(({ [kind]: instances = [] }) => instances);
    lost.push(...unseenPaths(schema, all).map((path) => `${kind} ${path}`));
  }
  return [...new Set(lost.filter((path) => !isListedEverywhere(path)))];
}

it.each(Object.keys(copies) as FileKind[])(
  'svc %s leaves out only what is listed',
  async (file) => {
    const reasons: [string, Reasons][] = Object.entries(leftOut);
    const listed = reasons.flatMap(([kind, { all, [file]: own = {} }]) =>
      // The files have nothing of this kind.
      typeof own === 'string'
        ? [kind]
        : Object.keys({ ...all, ...own }).map((member) => `${kind} ${member}`),
    );
    const lost = await lostMembers(file);
    const isOf = (path: string) => (member: string) => isWithin(path, member);
    expect({
      notListed: lost.filter((path) => !listed.some(isOf(path))),
      notLost: listed.filter((member) => !lost.some((path) => isWithin(path, member))),
    }).toEqual({ notListed: [], notLost: [] });
  },
);
