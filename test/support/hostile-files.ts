// Configurations and journals that contain a text, for tests of hostile text.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Folder {
  folder: string;
}

/** Writes files that contain a text; returns the command line that shows it. */
export type Prepare = (home: Folder, text: string) => readonly string[];

/** Writes a configuration with one profile of this name. */
export const configure = ({ folder }: Folder, profile: string) => {
  mkdirSync(path.join(folder, '.config', 'svc'), { recursive: true });
  writeFileSync(
    path.join(folder, '.config', 'svc', 'config.json'),
    JSON.stringify({
      current: profile,
      profiles: { [profile]: { baseUrl: 'http://127.0.0.1:9', environment: profile, key: 'k' } },
    }),
  );
};

/** Writes the journal of a run whose manifest contains the text. */
export const writeJournal = ({ folder }: Folder, runId: string, text: string) => {
  const run = path.join(folder, '.local', 'state', 'svc', 'runs', runId);
  mkdirSync(run, { recursive: true });
  writeFileSync(
    path.join(run, 'manifest.json'),
    JSON.stringify({
      format: 4,
      runId,
      sequence: 1,
      command: text,
      args: { file: text },
      options: { note: text },
      profile: text,
      service: text,
      file: { path: text, size: 1, mtimeMs: 1, digest: text },
      rejects: text,
      startedAt: '2026-01-15T12:00:00.000Z',
      version: text,
    }),
  );
};

export const withProfile =
  (line: (text: string) => readonly string[]): Prepare =>
  (home, text) => {
    configure(home, text);
    return line(text);
  };
export const withRun =
  (line: () => readonly string[]): Prepare =>
  (home, text) => {
    writeJournal(home, 'run-1', text);
    return line();
  };
