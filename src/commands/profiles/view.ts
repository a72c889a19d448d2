// Profiles as they are printed. The key is never included.
import type { Profiles } from '../../config/profiles.ts';
import type { Profile } from '../../config/store.ts';
import type { Column } from '../../output/result.ts';

export interface ProfileSummary {
  name: string;
  baseUrl: string;
  environment: string | null;
  protected: boolean;
  keySource: 'file' | 'keychain' | 'none';
  readOnly: boolean;
  current: boolean;
}

export const profileSummary = (
  name: string,
  profile: Profile,
  current: string | undefined,
  { isProtected }: Pick<Profiles, 'isProtected'>,
): ProfileSummary => ({
  name,
  baseUrl: profile.baseUrl,
  environment: profile.environment ?? null,
  protected: isProtected(profile),
  keySource: profile.keySource === 'file' && profile.key === undefined ? 'none' : profile.keySource,
  readOnly: profile.readOnly === true,
  current: name === current,
});

export const profileColumns: readonly Column<ProfileSummary>[] = [
  { field: 'name', header: 'PROFILE', tone: ({ current }) => (current ? 'good' : 'strong') },
  { field: 'current', header: 'CURRENT', value: ({ current }) => (current ? 'yes' : '') },
  { field: 'baseUrl', header: 'BASE URL' },
  { field: 'environment', header: 'ENVIRONMENT', drop: 1 },
  {
    field: 'protected',
    header: 'PROTECTED',
    value: (profile) => (profile.protected ? 'yes' : ''),
    // The column of its own does not fit into 80 columns.
    tableText: (profile) => (profile.readOnly ? 'read-only' : profile.protected ? 'yes' : ''),
    drop: 2,
  },
  {
    field: 'keySource',
    header: 'KEY',
    drop: 3,
    tone: ({ keySource }) => (keySource === 'none' ? 'warn' : 'plain'),
  },
  {
    field: 'readOnly',
    header: 'READ-ONLY',
    value: ({ readOnly }) => (readOnly ? 'yes' : ''),
    drop: 4,
  },
];
