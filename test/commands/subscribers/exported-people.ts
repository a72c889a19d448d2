// Exports all people of a rig, imports the files into another one, and reads them for comparison.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parsed, type Rig } from '../../support/rig.ts';

/** Writes people.ndjson and the files beside it to the folder of the rig. */
export async function exportAll(rig: Rig) {
  const { code, stdout, stderr } = await rig.svc([
    ...['subscribers', 'export', 'people.ndjson', '--with', 'preferences,topics,credentials'],
    ...['--reveal', '--yes', '--json'],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parsed(stdout);
}

export async function importAll({ svc }: Rig, folder: string) {
  const file = (name: string) => path.join(folder, name);
  for (const line of [
    ['subscribers', 'bulk-import', file('people.ndjson')],
    ['subscribers', 'preferences', 'import', file('people.preferences.csv')],
    ['topics', 'subscribe', '--file', file('people.topics.csv')],
    ['subscribers', 'credentials', 'import', file('people.credentials.csv')],
  ]) {
    const { code, stdout, stderr } = await svc([...line, '--json']);
    const { failed, invalid, unknown } = parsed(stdout);
    expect({ line, code, failed, invalid, unknown, stderr }).toMatchObject({
      ...{ code: 0, failed: 0, invalid: 0, unknown: 0 },
    });
  }
}

/** The service sets these fields itself. */
const serverFields = new Set([
  ...['_id', '_organizationId', '_environmentId', 'channels', 'createdAt', 'updatedAt', '__v'],
]);

/** The lines of the files, sorted: a bulk import does not keep the order of the rows. */
export function readExport({ folder }: Rig) {
  const lines = (name: string) =>
    readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean).sort();
  const people = lines('people.ndjson').map((line) => {
    const item = JSON.parse(line) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(item).filter(([name]) => !serverFields.has(name)));
  });
  return {
    people: people.sort((a, b) => (String(a.subscriberId) < String(b.subscriberId) ? -1 : 1)),
    preferences: lines('people.preferences.csv'),
    topics: lines('people.topics.csv'),
    credentials: lines('people.credentials.csv'),
  };
}
