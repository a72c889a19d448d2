// Reports changes of the sandbox's data to the open pages, as server-sent events. A burst of writes is reported once.
import type { StartTimer } from '../engine/scheduler.ts';

export interface Changes {
  /** Call it after every write. */
  notify(): void;
  /** A response that reports every change until the page is closed. */
  stream(): Response;
  /** Ends all streams, so that the server can stop. */
  close(): void;
}

const intervalMs = 200;
const maxStreams = 50;

type Stream = ReadableStreamDefaultController<Uint8Array>;

export function createChanges(startTimer: StartTimer | undefined): Changes {
  const streams = new Set<Stream>();
  const encoder = new TextEncoder();
  let isWaiting = false;
  const send = (stream: Stream, text: string) => {
    try {
      stream.enqueue(encoder.encode(text));
    } catch {
      streams.delete(stream);
    }
  };
  const report = () => {
    isWaiting = false;
    for (const stream of streams) send(stream, 'event: change\ndata:\n\n');
  };
  const end = (stream: Stream) => {
    streams.delete(stream);
    try {
      stream.close();
    } catch {
      return;
    }
  };
  return {
    notify() {
      if (streams.size === 0 || isWaiting) return;
      isWaiting = true;
      if (startTimer) startTimer(intervalMs, report);
      else report();
    },
    stream() {
      const [oldest] = streams;
      if (oldest && streams.size >= maxStreams) end(oldest);
      let own: Stream;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          streams.add(own);
          send(own, 'retry: 2000\n\n');
        },
        cancel: () => void streams.delete(own),
      });
      // A connection that stays open would delay the end of the server.
      const headers = { 'content-type': 'text/event-stream', connection: 'close' };
      return new Response(body, { headers });
    },
    close() {
      for (const stream of [...streams]) end(stream);
    },
  };
}
