// The type of a handler: takes a validated request and returns the operation's response body. The
// types are derived from the registry, so a missing handler or a wrong response does not compile.
import type { z } from 'zod';
import type { PathParameters } from '../../service/operation.ts';
import type {
  EmulatedId,
  OperationId,
  Operations,
  ResponseBody,
} from '../../service/operations/index.ts';
import type { Prepared } from '../bridge/prepare.ts';
import type { HttpError } from '../http/http-error.ts';
import type { Scope } from '../store/scope.ts';

type SchemasOf<Id extends OperationId> = Awaited<ReturnType<Operations[Id]['schemas']>>;
type Validated<Schemas, Part extends string> = Schemas extends {
  [Name in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

export interface Call<Id extends OperationId> {
  path: PathParameters<Operations[Id]['path']>;
  query: Validated<SchemasOf<Id>, 'query'>;
  body: Validated<SchemasOf<Id>, 'body'>;
  scope: Scope;
  /** Read from the endpoint of an application before the transaction. */
  prepared?: Prepared | undefined;
}

/**
 * Synchronous. Except for GET requests it runs in a transaction. A thrown error rolls the transaction back; a returned
 * HttpError does not.
 */
export type Handler<Id extends OperationId> = (call: Call<Id>) => ResponseBody<Id> | HttpError;

export type Handlers = { [Id in EmulatedId]: Handler<Id> };
