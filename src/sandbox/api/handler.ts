// The type of a handler: takes a validated request and returns the operation's response body. The
// types are derived from the registry, so a missing handler or a wrong response does not compile.
import type { z } from 'zod';
import type { PathParameters } from '../../service/operation.ts';
import type { OperationId, Operations, ResponseBody } from '../../service/operations/index.ts';
import type { Prepared } from '../bridge/prepare.ts';
import type { HttpError } from '../http/http-error.ts';
import type { Scope } from '../store/scope.ts';

interface Declared {
  path: string;
  schemas: () => Promise<unknown>;
}
type SchemasOf<O extends Declared> = Awaited<ReturnType<O['schemas']>>;
type Validated<Schemas, Part extends string> = Schemas extends {
  [Name in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** A request for an operation. */
export interface CallOf<O extends Declared> {
  path: PathParameters<O['path']>;
  query: Validated<SchemasOf<O>, 'query'>;
  body: Validated<SchemasOf<O>, 'body'>;
  scope: Scope;
  /** Read from the endpoint of an application before the transaction. */
  prepared?: Prepared | undefined;
}

export type Call<Id extends OperationId> = CallOf<Operations[Id]>;

/**
 * Synchronous. Except for GET requests it runs in a transaction. A thrown error rolls the transaction back; a returned
 * HttpError does not.
 */
export type Handler<Id extends OperationId> = (call: Call<Id>) => ResponseBody<Id> | HttpError;

export type Handlers = { [Id in OperationId]: Handler<Id> };
