// The error of a request to the endpoint of an application.
import { type BridgeErrorName, bridgeErrors } from '../../service/bridge-errors.ts';

export interface BridgeErrorFields {
  statusCode: number;
  code: string;
  message: string;
  data?: unknown;
}

export class BridgeRequestError extends Error {
  readonly fields: BridgeErrorFields;

  constructor(fields: BridgeErrorFields) {
    super(fields.message);
    this.name = 'BridgeRequestError';
    this.fields = fields;
  }
}

/** `reason` is more than the service says. */
export function bridgeError(
  name: BridgeErrorName,
  url: string,
  { reason, code }: { reason?: string; code?: string | undefined } = {},
): BridgeRequestError {
  const { message, ...fields } = bridgeErrors[name];
  const text = message(url);
  return new BridgeRequestError({
    ...fields,
    ...(code === undefined ? {} : { code }),
    message: reason === undefined ? text : `${text}: ${reason}`,
  });
}
