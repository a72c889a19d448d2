// The record of one operation of the service. Client, sandbox, validation and help are derived from it.
// A record loads its schemas on demand, so importing it does not load the schema library.

import type { z } from 'zod';
import { limits } from './limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Schemas of the query string, the request body and the response body. */
export interface OperationSchemas {
  query?: z.ZodType;
  body?: z.ZodType;
  response: z.ZodType;
}

/** The paging style of a listing. `cap` is the maximum number of items in one response. */
export type Paging =
  | { style: 'cursor'; items: 'data'; cap: number }
  /** `pinnedBy` is the parameter that excludes newer items, so that they do not shift the pages. */
  | { style: 'page'; items: 'data'; cap: number; pinnedBy?: 'before' }
  | { style: 'offset'; items: 'workflows' | 'layouts' | 'data'; cap: number };

/** Limits of a bulk request: the maximum number of items, and the maximum body size in bytes. */
export interface Batch {
  items: string;
  count: number;
  bytes: number;
}

/** Members that operations of one file can share. */
interface Shared {
  /** Section of the interface specification, or the resource of an operation that is not in it. */
  section: string;
  /** Whom the operation serves: the holder of an API key (if absent), the session of an inbox client, or anyone. */
  auth?: 'key' | 'session' | 'none';
  /** Maximum size of the request body in bytes; `limits.body` if absent. */
  bodyLimit?: number;
  /** The rate limit category, and the cost of one call; if absent, `configuration` and 1. */
  rate?: { category: 'trigger' | 'configuration' | 'global'; cost: number };
}

interface Members<S extends OperationSchemas> {
  /** Older paths of the same operation, which the sandbox serves, too. */
  aliases?: readonly string[];
  /** The method of `@novu/api`, which takes the body or the query, then the parameters of the path. */
  sdk?: string;
  /** One sentence, for help. */
  summary: string;
  /** Status of a successful response; if absent, 201 for POST, and 200 for other methods. */
  success?: 200 | 201 | 204;
  /** The response body has its own `data` field, so `{"data": …}` is not an envelope to remove. Pages of `data` have it. */
  hasDataField?: true;
  paging?: Paging;
  /** Query parameters that the service accepts only as arrays: a single value is sent twice. */
  arrayQuery?: readonly string[];
  /** Filters by a member of the items. Items of the response that do not match are left out. */
  exactFilters?: readonly string[];
  /** Filters that older servers ignore, with the paths in an item, of which one has the value. */
  laterFilters?: Readonly<Record<string, readonly string[]>>;
  batch?: Batch;
  /**
   * Whether sending a body twice has the same effect as sending it once, even with another idempotency key. Only
   * for POST and PATCH; if absent, a PATCH has and a POST does not.
   */
  idempotent?: (body: unknown) => boolean;
  deprecated?: Deprecation;
  schemas: () => Promise<S>;
}

/** An operation as its file declares it. */
type Declaration<S extends OperationSchemas> = Members<S> & Partial<Shared>;

/** The service advises against a route. */
export interface Deprecation {
  /** The route to use instead: its method and path. */
  by: string;
  /** The first version that advises against it; absent if 3.11 does. */
  since?: string;
}

/** `service`: not in the specification; a server may lack it. */
type Source = 'specification' | 'service';

export interface Operation<
  Path extends string = string,
  S extends OperationSchemas = OperationSchemas,
  From extends Source = Source,
> extends Members<S>,
    Required<Shared> {
  method: Method;
  /** Path as in the specification, with `{name}` for each parameter. */
  path: Path;
  source: From;
  success: 200 | 201 | 204;
  /** The first version of the service that has the operation; absent if 3.11 has it. */
  since?: string;
}

/** The parameters of a path: `'/v2/topics/{topicKey}'` → `{ topicKey: string }`. */
export type PathParameters<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}`
    ? { [K in Name]: string } & PathParameters<Rest>
    : unknown;

type Schema<S, Part extends string> = S extends { [K in Part]: infer T extends z.ZodType }
  ? T
  : never;
type PathOf<O> = O extends Operation<infer Path, infer _S> ? Path : never;
type SchemasOf<O> = O extends Operation<infer _P, infer S> ? S : never;

/** The query of an operation, before parsing. */
type QueryOf<O> = z.input<Schema<SchemasOf<O>, 'query'>>;
/** The request body of an operation, before parsing. */
type BodyOf<O> = z.input<Schema<SchemasOf<O>, 'body'>>;
/** The response body of an operation. */
export type ResponseOf<O> = z.output<Schema<SchemasOf<O>, 'response'>>;

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

/** The path parameters, query and body of a call. */
export type InputOf<O> = PathPart<O> & QueryPart<O> & BodyPart<O>;

/**
 * The members of the response to a POST, of which it has at least one, such as the id of what it created. Undefined if it
 * need not be an object, if its reader judges each item of a batch, and for a change or deletion, which any success confirms.
 */
export async function resultMembers({ method, batch, schemas }: Operation) {
  if (method !== 'POST' || batch) return undefined;
  const { response } = await schemas();
  const members = 'shape' in response ? Object.keys(Object(response.shape)) : [];
  return members.length > 0 ? members : undefined;
}

/** Returns a function that chooses the schemas of an operation from a module, which is loaded with their first use. */
export const schemasIn =
  <Module>(load: () => Promise<Module>) =>
  <S extends OperationSchemas>(choose: (schemas: Module) => S) =>
  async (): Promise<S> =>
    choose(await load());

/** `GET /v2/topics/{topicKey}`: the method and the path, with `{name}` for each parameter. */
type Route = `${Method} /${string}`;
type PathIn<R extends Route> = R extends `${Method} ${infer Path}` ? Path : never;

/** Returns the functions that declare operations, which have these members in common. */
export function operationsWith(shared: Shared) {
  const declareAs =
    <From extends Source>(source: From) =>
    <const R extends Route, S extends OperationSchemas>(
      route: R,
      declaration: Declaration<S>,
    ): Operation<PathIn<R>, S, From> => {
      const [method, path] = route.split(' ') as [Method, PathIn<R>];
      return {
        method,
        path,
        source,
        auth: 'key',
        success: method === 'POST' ? 201 : 200,
        bodyLimit: limits.body,
        ...(method === 'PATCH' ? { idempotent: () => true } : {}),
        rate: { category: 'configuration', cost: 1 },
        ...(declaration.paging?.items === 'data' ? { hasDataField: true } : {}),
        ...shared,
        ...declaration,
      };
    };
  const serviceOperation = declareAs('service');
  return {
    /** An operation of the specification. */
    operation: declareAs('specification'),
    /** One that the specification does not have. */
    serviceOperation,
    /** Those that servers before a version of the service lack. */
    operationSince:
      (since: `3.${number}`) =>
      <const R extends Route, S extends OperationSchemas>(
        route: R,
        declaration: Declaration<S>,
      ): Operation<PathIn<R>, S, 'service'> & { since: string } => ({
        ...serviceOperation(route, declaration),
        since,
      }),
  };
}
