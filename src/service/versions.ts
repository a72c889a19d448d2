// The versions of the service. Operations, members, rules and texts say with `since` and `until` which of them have them.
// No other file compares versions.

/** The versions that svc is verified with. */
export const verifiedVersions = { oldest: '3.11.0', newest: '3.19.0' } as const;

/** The released versions of these, oldest first; 3.16 was not released. */
export const releases = ['3.11', '3.12', '3.13', '3.14', '3.15', '3.17', '3.18', '3.19'] as const;

/** The versions that a sandbox can have, oldest first. */
export const sandboxVersions = ['3.11', '3.19'] as const;
export type SandboxVersion = (typeof sandboxVersions)[number];
export const newestVersion: SandboxVersion = '3.19';

/** The full number, which `GET /v1/health-check` returns. */
export const releaseOf: Readonly<Record<SandboxVersion, string>> = {
  '3.11': verifiedVersions.oldest,
  '3.19': verifiedVersions.newest,
};

/** A sandbox names its version in this header of each response. */
export const versionHeader = 'svc-sandbox-service';

/** The first version that has a part of the service, and the first one that no longer has it; absent if all have it. */
export interface Lifetime {
  since?: string;
  until?: string;
}

export const existsIn = (version: string, { since, until }: Lifetime): boolean =>
  (since === undefined || isAtLeast(version, since)) &&
  (until === undefined || !isAtLeast(version, until));

/** Whether a deprecation is in force. */
export const isSince = (version: string, { since = verifiedVersions.oldest }: Lifetime): boolean =>
  isAtLeast(version, since);

/** Whether an inbox client, as it names itself, puts contexts into the identifiers of subscriptions. */
export const namesContexts = (client: string): boolean =>
  isAtLeast(/@novu\/js@(\d+\.\d+\.\d+)/.exec(client)?.[1] ?? '0', '3.13');

/** Whether a change of this version takes effect with an upgrade. */
export const beginsBetween = (from: string, to: string, since: string): boolean =>
  !isAtLeast(from, since) && isAtLeast(to, since);

/** Whether a release, such as 3.15, is older than a version. Versions of the same release are not. */
export const isBefore = (release: string, version: string): boolean =>
  isAtLeast(version, nextMinor(release));

/** The sandbox to compare an upgrade in: the newest one that is not newer, and the oldest one that is not older. */
export const sandboxesOf = (from: string, to: string) => ({
  before: sandboxVersions.findLast((version) => isAtLeast(from, version)) ?? sandboxVersions[0],
  after: sandboxVersions.find((version) => isAtLeast(version, to)) ?? newestVersion,
});

const parts = (version: string) => version.split('.').map(Number);

export const isAtLeast = (version: string, since: string): boolean => {
  const [own, wanted] = [parts(version), parts(since)];
  const at = wanted.findIndex((part, index) => part !== (own[index] ?? 0));
  return at === -1 || (own[at] ?? 0) > (wanted[at] ?? 0);
};

export const nextMinor = (version: string): string => {
  const [major = 0, minor = 0] = parts(version);
  return `${major}.${minor + 1}.0`;
};

/** The version of a sandbox that behaves most like a server of this version; the newest one if it is not known. */
export const sandboxVersionOf = (version: string | undefined): SandboxVersion =>
  version === undefined || isAtLeast(version, '3.15') ? newestVersion : '3.11';
