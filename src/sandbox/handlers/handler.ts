// The form of a handler: a checked request in, the operation's answer out. Types follow the
// registry, so an operation without a handler, or with a wrong answer, does not compile.
import type { z } from 'zod';
import type { PathParameters } from '../../api/operation.ts';
import type { OperationId, Operations, ResponseBody } from '../../api/operations/index.ts';
import type { Refusal } from '../http/http-error.ts';
import type { Scope } from '../store/scope.ts';

type Loaded<Id extends OperationId> = Awaited<ReturnType<Operations[Id]['schemas']>>;
type Checked<Schemas, Part extends string> = Schemas extends {
  [Name in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

export interface Call<Id extends OperationId> {
  path: PathParameters<Operations[Id]['path']>;
  query: Checked<Loaded<Id>, 'query'>;
  body: Checked<Loaded<Id>, 'body'>;
  scope: Scope;
}

/** Runs at once, in one transaction. A thrown refusal undoes it, a returned one does not. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => ResponseBody<Id> | Refusal;

export type Handlers = { [Id in OperationId]: Handler<Id> };
