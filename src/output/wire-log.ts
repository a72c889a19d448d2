// Formats the request log of `--debug`: one line per request and response, with secrets masked.
import type { WireEvent } from '../api/request.ts';
import { stringifyExact } from '../core/lossless-json.ts';
import { parseDigits } from '../core/lossless-json-parser.ts';
import { isHiddenInLog } from '../service/secret-fields.ts';
import { mask, masked } from './mask.ts';
import { safeText } from './safe-text.ts';

export interface WireLogOptions {
  bodies: boolean;
  reveal: boolean;
}

/** Returns a function that formats an event as lines, each with a line feed. */
export function wireLog({ bodies, reveal }: WireLogOptions): (event: WireEvent) => string {
  const body = (text: string) =>
    bodies && text !== '' ? `    ${safeText(redactBody(text, reveal))}\n` : '';
  return (event) => {
    switch (event.type) {
      case 'request': {
        const sent = event.body ? Buffer.from(event.body).toString('utf8') : '';
        const again = event.attempt > 1 ? ` (attempt ${event.attempt})` : '';
        const headers = Object.entries(event.headers).map(
          ([name, value]) => `    ${name}: ${shownHeader(name, value)}\n`,
        );
        return `> ${event.method} ${safeText(event.url)}${again}\n${headers.join('')}${body(sent)}`;
      }
      case 'response':
        return `< ${event.status} ${event.method} ${safeText(event.url)} in ${Math.round(event.ms)} ms\n${body(event.text)}`;
      case 'failure':
        return `! ${event.method} ${safeText(event.url)} failed after ${Math.round(event.ms)} ms: ${safeText(String(event.error))}\n`;
      case 'retry':
        return `. trying again in ${Math.round(event.afterMs)} ms (${event.reason})\n`;
    }
  };
}

const shownHeader = (name: string, value: string) =>
  name === 'authorization' ? `ApiKey ${mask}` : safeText(value);

function redactBody(text: string, reveal: boolean): string {
  if (reveal) return text;
  try {
    return stringifyExact(masked(parseDigits(text), isHiddenInLog));
  } catch {
    return `(${text.length} characters that are not JSON, or nested too deeply)`;
  }
}
