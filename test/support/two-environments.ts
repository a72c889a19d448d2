// A rig with profiles for two environments of one service. The current profile is development; the environment
// variables set no service.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openRig, type Rig, type RigOptions } from './rig.ts';

interface Configured {
  current?: string;
  profiles: Record<
    string,
    { baseUrl: string; key: string; environmentId?: string; protected?: boolean }
  >;
}

export interface TwoEnvironments {
  rig: Rig;
  /** Edits the configuration file; returns its content. */
  edit: (change: (configuration: Configured) => void) => Configured;
  keyOf: (profile: 'development' | 'production') => string;
}

export async function openTwoEnvironments(options: RigOptions = {}): Promise<TwoEnvironments> {
  const rig = await openRig(options);
  await rig.svc(['environments', 'list', '--save-profiles']);
  const svc: Rig['svc'] = (argv, options = {}) =>
    rig.svc(argv, { ...options, env: { SVC_BASE_URL: '', SVC_API_KEY: '', ...options.env } });
  const file = path.join(rig.folder, 'config', 'config.json');
  const edit = (change: (configuration: Configured) => void) => {
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as Configured;
    change(configuration);
    writeFileSync(file, JSON.stringify(configuration));
    return configuration;
  };
  // Other tests cover the default protection of production.
  const { profiles } = edit((configuration) => {
    const { production } = configuration.profiles;
    if (production) production.protected = false;
  });
  return { rig: { ...rig, svc }, edit, keyOf: (profile) => profiles[profile]?.key ?? '' };
}

/** Returns the distinct API keys of the requests. */
export const sentKeys = (requests: readonly { headers: Record<string, string> }[]) => [
  ...new Set(requests.map(({ headers }) => headers.authorization)),
];
