// What happens on the wire, told to whoever watches: `--debug`, the report of a run.

/** What happens on the wire, for `--debug` and for a run's report. Secrets are in it: redact. */
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
      kind: 'answer';
      method: string;
      url: string;
      status: number;
      headers: Record<string, string>;
      text: string;
      ms: number;
    }
  | { kind: 'failure'; method: string; url: string; error: unknown; ms: number }
  | { kind: 'retry'; afterMs: number; reason: string };
