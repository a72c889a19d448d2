// A write that is shown instead of sent: the client throws it where the request would have left.

/** A request as it would have been sent, the key left out. */
export interface Outline {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** No error: it carries what a dry run shows, past everything that would have used the answer. */
export class DryRun extends Error {
  readonly requests: readonly Outline[];
  /** Requests and items in all, when only the first requests are shown. */
  readonly total: { requests: number; items: number } | undefined;

  constructor(requests: readonly Outline[], total?: { requests: number; items: number }) {
    super('a dry run sends no write');
    this.name = 'DryRun';
    this.requests = requests;
    this.total = total;
  }
}
