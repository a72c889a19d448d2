// What `--debug` prints of the wire: one line for each request and answer, secrets redacted.
import type { WireEvent } from '../api/wire-event.ts';
import { parseDigits, writeExact } from '../core/lossless-json-parser.ts';
import { mask, masked } from './mask.ts';
import { safeText } from './safe-text.ts';

export interface WireLogOptions {
  bodies: boolean;
  reveal: boolean;
}

/** Formats events as lines, each with its line feed. */
export function wireLog({ bodies, reveal }: WireLogOptions): (event: WireEvent) => string {
  const body = (text: string) =>
    bodies && text !== '' ? `    ${safeText(redacted(text, reveal))}\n` : '';
  return (event) => {
    switch (event.kind) {
      case 'request': {
        const sent = event.body ? Buffer.from(event.body).toString('utf8') : '';
        const again = event.attempt > 1 ? ` (attempt ${event.attempt})` : '';
        const headers = Object.entries(event.headers).map(
          ([name, value]) => `    ${name}: ${header(name, value)}\n`,
        );
        return `> ${event.method} ${safeText(event.url)}${again}\n${headers.join('')}${body(sent)}`;
      }
      case 'answer':
        return `< ${event.status} ${event.method} ${safeText(event.url)} in ${Math.round(event.ms)} ms\n${body(event.text)}`;
      case 'failure':
        return `! ${event.method} ${safeText(event.url)} failed after ${Math.round(event.ms)} ms: ${safeText(String(event.error))}\n`;
      case 'retry':
        return `. trying again in ${Math.round(event.afterMs)} ms (${event.reason})\n`;
    }
  };
}

const header = (name: string, value: string) =>
  name === 'authorization' ? `ApiKey ${mask}` : safeText(value);

function redacted(text: string, reveal: boolean): string {
  if (reveal) return text;
  try {
    return writeExact(masked(parseDigits(text)));
  } catch {
    return `(${text.length} characters that are not JSON, or nested too deeply)`;
  }
}
