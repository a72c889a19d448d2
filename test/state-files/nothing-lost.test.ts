// Every member of a response is in the files of svc, or is listed with the reason why it is not.
import { expect, it } from 'vitest';
import { parseYaml } from '../../src/core/yaml.ts';
import { exportState } from '../../src/sandbox/state/export-state.ts';
import { readState, writeState } from '../../src/sandbox/state/file.ts';
import type { SandboxState } from '../../src/sandbox/state/schema.ts';
import { sandboxVersions } from '../../src/service/versions.ts';
import { pullState } from '../commands/sandbox/pull-rig.ts';
import { openStaging } from '../commands/workflows/workflow-folder.ts';
import { openSandbox } from '../sandbox/open.ts';
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
} from '../support/members.ts';
import { parsed, type Rig } from '../support/rig.ts';

/** `svc api` prints the envelope of the service. */
const withoutEnvelope = (body: Record<string, unknown>) =>
  Object.keys(body).join() === 'data' ? body.data : body;

const sandboxGet =
  ({ ask }: Awaited<ReturnType<typeof openSandbox>>): Get =>
  async (path) => {
    const { status, body } = await ask(`GET ${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    return withoutEnvelope(body);
  };

const profileGet =
  ({ svc }: Pick<Rig, 'svc'>, profile: string): Get =>
  async (path) => {
    const { code, stdout } = await svc(['api', 'GET', path, '--json', '--reveal', '-p', profile]);
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

interface GivenIntegration {
  identifier: string;
  credentials?: Record<string, { $env?: string }>;
}

/** The value that a variable has for a push. */
function secretText(identifier: string, name: string): string {
  const [{ integrations = [] } = {}] = fullState.environments;
  const { credentials = {} } = integrations.find((one) => one.identifier === identifier) ?? {};
  const value: unknown = Reflect.get(credentials, name);
  return typeof value === 'string' ? value : JSON.stringify(value);
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
    const rig = await openStaging({ seed: { ...editedState, service } });
    const run = async (line: string, env: Record<string, string> = {}) => {
      const { code, stderr } = await rig.svc(line.split(' '), { env });
      expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({
        line,
        code: 0,
        stderr: '',
      });
    };
    await run('environments pull a -p development');
    const { value } = parseYaml(rig.files.read('a/integrations.yaml'));
    const env = Object.fromEntries(
      (value as GivenIntegration[]).flatMap(({ identifier, credentials = {} }) =>
        Object.entries(credentials).flatMap(([name, { $env }]) =>
          $env === undefined ? [] : [[$env, secretText(identifier, name)]],
        ),
      ),
    );
    await run('environments push a -p staging --with-credentials --yes', env);
    return readInstances(profileGet(rig, 'staging'), 'Staging');
  },
};

it.each(
  sandboxVersions.flatMap((service) =>
    (Object.keys(copies) as FileKind[]).map((file) => ({ service, file })),
  ),
)('$file leaves out only what is listed, version $service', async ({ service, file }) => {
  const source = await readInstances(
    sandboxGet(await openSandbox({ seed: stateOf(file), service })),
  );
  const copy = await copies[file](service);
  const unlisted: string[] = [];
  const stale: string[] = [];
  for (const [kind, schema] of Object.entries(schemas)) {
    const reasons: Reasons = leftOut[kind as keyof typeof schemas];
    const own = reasons[file] ?? {};
    // The files have nothing of this kind.
    if (typeof own === 'string') continue;
    const listed = Object.keys({ ...reasons.all, ...own });
    const lost = lostPaths(source[kind] ?? [], copy[kind] ?? [], schema).filter(
      (path) => !path.split(/\[\]\.?|\./).some((name) => Object.hasOwn(leftOutEverywhere, name)),
    );
    unlisted.push(
      ...lost
        .filter((path) => !listed.some((member) => isWithin(path, member)))
        .map((path) => `${kind} ${path}`),
    );
    stale.push(
      ...listed
        .filter((member) => !lost.some((path) => isWithin(path, member)))
        .map((path) => `${kind} ${path}`),
    );
  }
  expect({ unlisted, stale }).toEqual({ unlisted: [], stale: [] });
});
