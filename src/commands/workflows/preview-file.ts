// Writes a preview as an HTML file in a temporary folder that only the user can read, and opens it.
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { unitMs } from '../../core/durations.ts';
import { errorMessage, localError } from '../../core/errors.ts';
import type { Host } from '../../platform/host.ts';
import { openInBrowser } from '../../platform/open-browser.ts';
import type { PreviewedWorkflow } from '../../sandbox/page/preview.tsx';

const prefix = 'svc-preview-';

export async function openPreview(host: Host, workflow: PreviewedWorkflow) {
  const { previewDocument } = await import('../../sandbox/page/preview.tsx');
  const file = writePreview(previewDocument(workflow), host.clock.now());
  return { file, opened: await openInBrowser(host, pathToFileURL(file).href) };
}

function writePreview(html: string, now: number): string {
  const parent = tmpdir();
  try {
    const folder = mkdtempSync(path.join(parent, prefix));
    const file = path.join(folder, 'preview.html');
    writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
    removeOldPreviews(parent, lstatSync(folder).uid, now);
    return file;
  } catch (cause) {
    const reason = errorMessage(cause);
    throw localError(`Cannot write the preview to ${parent}: ${reason}`, {
      hint: 'Set TMPDIR to a writable folder.',
      cause,
    });
  }
}

/** Removes the folders of previews of this user that are older than a day. Never follows a symbolic link. */
function removeOldPreviews(parent: string, owner: number, now: number): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(parent, name);
    try {
      const { uid, mtimeMs, isDirectory } = stats(folder);
      if (isDirectory && uid === owner && now - mtimeMs > unitMs.d)
        rmSync(folder, { recursive: true });
    } catch {
      // Another run removes it at the same time.
    }
  }
}

function stats(folder: string) {
  const found = lstatSync(folder);
  return { uid: found.uid, mtimeMs: found.mtimeMs, isDirectory: found.isDirectory() };
}
