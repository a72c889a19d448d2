// What the service answers when it does not do what was asked: a status, a message and their facts.
// Thrown, it undoes what the request wrote; returned by a handler, what was written stays.

export interface RefusalFacts {
  /** Facts that are answered as `ctx` and again beside it. */
  context?: Record<string, unknown>;
  /** Other members of the body. */
  members?: Record<string, unknown>;
  /** Headers of the answer. */
  headers?: Record<string, string>;
}

export class Refusal extends Error {
  readonly status: number;
  readonly facts: RefusalFacts;

  constructor(status: number, message: string, facts: RefusalFacts = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.facts = facts;
  }
}

export const refuse = (status: number) => (message: string, facts?: RefusalFacts) =>
  new Refusal(status, message, facts);

export const badRequest = refuse(400);
export const unauthorized = refuse(401);
export const forbidden = refuse(403);
export const notFound = refuse(404);
export const conflict = refuse(409);
export const tooLarge = refuse(413);
export const unsupported = refuse(415);
export const unprocessable = refuse(422);
export const tooMany = refuse(429);

/** The body of an error, as the service writes it. Never wrapped in an envelope. */
export const refusalBody = (
  { status, message, facts }: Refusal,
  path: string,
  timestamp: string,
) => ({
  statusCode: status,
  timestamp,
  path,
  message,
  ...(facts.context ? { ctx: facts.context, ...facts.context } : {}),
  ...facts.members,
});
