// A client whose responses come from a function, for tests of the requests that a listing sends.
import type { Client } from '../../src/api/client.ts';

export type Query = Record<string, unknown>;

/** `respond` returns the body for a query; `call` starts at 1. */
export function clientFor(respond: (query: Query, call: number) => unknown) {
  const queries: Query[] = [];
  const client = {
    call: async (_id: string, input: { query: Query }) => {
      queries.push(input.query);
      if (queries.length > 500) throw new Error('too many requests');
      return respond(input.query, queries.length);
    },
  } as unknown as Client;
  return { client, queries };
}
