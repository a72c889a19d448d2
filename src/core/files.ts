// Writes small files so that readers and killed processes never see a part of them.
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically, with mode 0600. `draft` makes the name of the temporary file unique. */
export function replaceFile(file: string, text: string, draft: string): void {
  const partial = `${file}.${draft}.new`;
  try {
    writeFileSync(partial, text, { mode: 0o600 });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
