// Writes a preview as an HTML file in a temporary folder that only the user can read, and opens it.
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { unitMs } from '../../core/durations.ts';
import { errorMessage, localError } from '../../core/errors.ts';
import type { Host } from '../../platform/host.ts';
import { openInBrowser } from '../../platform/open-browser.ts';
import { writePrivatePage } from '../../platform/private-page.ts';
import type { PreviewedWorkflow } from '../../sandbox/page/preview.tsx';

export async function openPreview(host: Host, workflow: PreviewedWorkflow) {
  const { previewDocument } = await import('../../sandbox/page/preview.tsx');
  const file = writePreview(host, previewDocument(workflow));
  return { file, opened: await openInBrowser(host, pathToFileURL(file).href) };
}

function writePreview(host: Host, html: string): string {
  try {
    return writePrivatePage(host, {
      prefix: 'svc-preview-',
      name: 'preview.html',
      html,
      keptMs: unitMs.d,
    });
  } catch (cause) {
    throw localError(`Cannot write the preview to ${tmpdir()}: ${errorMessage(cause)}`, {
      hint: 'Set TMPDIR to a writable folder.',
      cause,
    });
  }
}
