// What one operation of the service is, as data. Client, sandbox, checks and help are derived from it.
// Knows no schema library: a record names its schemas by loader, so that reading never loads them.
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Schemas of an operation: of the query string, the request body and the answer's body. */
export interface OperationSchemas {
  query?: z.ZodType;
  body?: z.ZodType;
  answer: z.ZodType;
}

/** How a listing is continued. `cap` is the most items one request may ask for. */
export type Paging =
  | { style: 'cursor'; items: 'data'; cap: number }
  /** `pinnedBy` names the parameter that bounds the listing, so that new items do not shift its pages. */
  | { style: 'page'; items: 'data'; cap: number; pinnedBy?: 'before' }
  | { style: 'offset'; items: 'workflows'; cap: number };

/** How many items one request may carry, and how many bytes its body may have. */
export interface Batch {
  items: string;
  count: number;
  bytes: number;
}

export interface Operation<
  Path extends string = string,
  S extends OperationSchemas = OperationSchemas,
> {
  method: Method;
  /** Path with `{name}` for each parameter, as in the specification. */
  path: Path;
  /** One sentence: what it does. */
  summary: string;
  /** Section of the interface specification. */
  section: string;
  /** Status of success. */
  success: 200 | 201 | 204;
  /** True when the answer has a `data` member of its own, so that no envelope is ever taken off. */
  ownData?: true;
  paging?: Paging;
  /** Query parameters that the service reads as arrays only: a single value is sent twice. */
  arrayQuery?: readonly string[];
  batch?: Batch;
  /**
   * Whether sending a body twice has the effect of sending it once, also with another idempotency key. Of POST
   * and PATCH alone; absent means that it has not.
   */
  idempotent?: (body: unknown) => boolean;
  /** Largest request body in bytes. */
  bodyLimit: number;
  /** The bucket that a rate limit counts it in, and what one call costs. */
  rate: { category: 'trigger' | 'configuration' | 'global'; cost: number };
  schemas: () => Promise<S>;
}

/** The parameters named in a path: `'/v2/topics/{topicKey}'` → `{ topicKey: string }`. */
export type PathParameters<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}`
    ? { [K in Name]: string } & PathParameters<Rest>
    : unknown;

type Schema<S, Part extends string> = S extends { [K in Part]: infer T extends z.ZodType }
  ? T
  : never;
type PathOf<O> = O extends Operation<infer Path, infer _S> ? Path : never;
type SchemasOf<O> = O extends Operation<infer _P, infer S> ? S : never;

/** The query an operation takes, as a caller writes it. */
type QueryOf<O> = z.input<Schema<SchemasOf<O>, 'query'>>;
/** The body an operation takes, as a caller writes it. */
type BodyOf<O> = z.input<Schema<SchemasOf<O>, 'body'>>;
/** What an operation answers. */
export type AnswerOf<O> = z.output<Schema<SchemasOf<O>, 'answer'>>;

type PathPart<O> =
  string extends PathOf<O>
    ? { path?: Record<string, string> }
    : unknown extends PathParameters<PathOf<O>>
      ? { path?: never }
      : { path: PathParameters<PathOf<O>> };
type QueryPart<O> = [Schema<SchemasOf<O>, 'query'>] extends [never]
  ? { query?: never }
  : { query?: QueryOf<O> };
type BodyPart<O> = [Schema<SchemasOf<O>, 'body'>] extends [never]
  ? { body?: never }
  : { body: BodyOf<O> };

/** Everything a caller gives to call an operation. */
export type InputOf<O> = PathPart<O> & QueryPart<O> & BodyPart<O>;

/** Body limit of the service for everything but events: 100 KB. */
export const smallBody = 102_400;
/** Body limit of the service for `/v1/events`: 26 MB. */
export const eventBody = 26 * 1024 * 1024;

/** Declares an operation and keeps its path and schema types. */
export const operation = <const Path extends string, S extends OperationSchemas>(
  record: Operation<Path, S>,
): Operation<Path, S> => record;
