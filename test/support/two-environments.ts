// A rig with a profile for each of two environments at one address; development is current, no variable names a service.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openRig, type Rig } from './rig.ts';

interface Configured {
  current?: string;
  profiles: Record<
    string,
    { baseUrl: string; key: string; environmentId?: string; protected?: boolean }
  >;
}

export interface TwoEnvironments {
  rig: Rig;
  /** Changes the configuration file by hand; returns what stands in it. */
  edit: (change: (configuration: Configured) => void) => Configured;
  keyOf: (profile: 'development' | 'production') => string;
}

export async function openTwoEnvironments(): Promise<TwoEnvironments> {
  const rig = await openRig();
  await rig.svc(['environments', 'list', '--save-profiles']);
  const svc: Rig['svc'] = (argv, facts = {}) =>
    rig.svc(argv, { ...facts, env: { SVC_BASE_URL: '', SVC_API_KEY: '', ...facts.env } });
  const file = path.join(rig.folder, 'config', 'config.json');
  const edit = (change: (configuration: Configured) => void) => {
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as Configured;
    change(configuration);
    writeFileSync(file, JSON.stringify(configuration));
    return configuration;
  };
  // Its default protection has tests of its own.
  const { profiles } = edit((configuration) => {
    const { production } = configuration.profiles;
    if (production) production.protected = false;
  });
  return { rig: { ...rig, svc }, edit, keyOf: (profile) => profiles[profile]?.key ?? '' };
}

/** The keys that requests went out with, each once. */
export const keysOf = (requests: readonly { headers: Record<string, string> }[]) => [
  ...new Set(requests.map(({ headers }) => headers.authorization)),
];
