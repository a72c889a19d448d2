// Kills many processes while they write the configuration.
import { it } from 'vitest';
import { expectCompleteAfterKills } from '../support/killed-writes.ts';

it(
  'the configuration is complete, with old or new content, after a process is killed at any point of a write',
  { timeout: 90_000 },
  () => expectCompleteAfterKills(40),
);
