// Opens the folder in which the processes of this machine share the rate limit of a service and environment.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { stateFolder } from '../../config/folders.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import type { Plan } from '../engine/plan.ts';

export async function openPace(context: Context, { operation }: Plan) {
  const { openSharedPace } = await import('../engine/shared-pace.ts');
  const { host, connection } = context;
  const { category, cost } = operationRecord(operation).rate;
  const identity = `pace\n${connection.target().baseUrl.value}\n${await connection.apiKey()}`;
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  return openSharedPace({
    folder: path.join(stateFolder(host), 'pace', hash),
    processes: host,
    category,
    requestCost: cost,
    clock: host.clock,
    signal: host.shutdownSignal,
  });
}
