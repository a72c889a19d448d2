// Events of HTTP requests, for `--debug` and run reports.

/** Contains secrets: redact before output. */
export type WireEvent =
  | {
      kind: 'request';
      method: string;
      url: string;
      headers: Record<string, string>;
      body?: Uint8Array;
      attempt: number;
    }
  | {
      kind: 'response';
      method: string;
      url: string;
      status: number;
      headers: Record<string, string>;
      text: string;
      ms: number;
    }
  | { kind: 'failure'; method: string; url: string; error: unknown; ms: number }
  | { kind: 'retry'; afterMs: number; reason: string };
