// Ids of seeded records. They are the same in every sandbox, so that examples and tests can use them.
import { createHash } from 'node:crypto';

/** Before all other ids, so that records created later sort after the seeded ones. */
export const seedTimestamp = Date.UTC(2025, 0, 1);

/** Returns the id of a seeded record: `seedId('topic:announcements')`. */
export const seedId = (label: string): string =>
  (seedTimestamp / 1000).toString(16) +
  createHash('sha256').update(label).digest('hex').slice(0, 16);

/** The one organization of a sandbox, and its user. */
export const organizationId = seedId('organization:sandbox');
export const userId = seedId('user:sandbox');

export const developmentId = seedId('environment:development');
export const productionId = seedId('environment:production');
