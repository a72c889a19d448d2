// Ids of seeded things: the same in every sandbox, so that examples and tests can name them.
import { createHash } from 'node:crypto';

// Seconds of 2025-01-01: what is made later sorts after the seed.
const seedTimestamp = (Date.UTC(2025, 0, 1) / 1000).toString(16);

/** The id of a seeded thing: `seedId('topic:announcements')`. */
export const seedId = (thing: string): string =>
  seedTimestamp + createHash('sha256').update(thing).digest('hex').slice(0, 16);

/** The one organization of a sandbox, and its user. */
export const organizationId = seedId('organization:sandbox');
export const userId = seedId('user:sandbox');

export const developmentId = seedId('environment:development');
export const productionId = seedId('environment:production');
