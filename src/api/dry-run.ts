// A dry run: instead of sending a write, the client throws its request.

/** A request that was not sent, without the API key. */
export interface UnsentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** Not an error: thrown to carry the requests past the code that would use their responses. */
export class DryRun extends Error {
  readonly requests: readonly UnsentRequest[];
  /** Total number of requests and items, if `requests` contains only the first ones. */
  readonly total: { requests: number; items: number } | undefined;

  constructor(requests: readonly UnsentRequest[], total?: { requests: number; items: number }) {
    super('a dry run sends no write');
    this.name = 'DryRun';
    this.requests = requests;
    this.total = total;
  }
}
