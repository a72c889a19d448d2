// A dry run: instead of sending a write, the client throws its request.

/** A request that was not sent, without the API key. */
export interface PlannedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** Not an error: thrown to carry the planned requests past the code that would use their responses. */
export class DryRun extends Error {
  readonly requests: readonly PlannedRequest[];
  /** Total number of requests and items, if `requests` contains only the first ones. */
  readonly total: { requests: number; items: number } | undefined;

  constructor(requests: readonly PlannedRequest[], total?: { requests: number; items: number }) {
    super('a dry run sends no write');
    this.name = 'DryRun';
    this.requests = requests;
    this.total = total;
  }
}
