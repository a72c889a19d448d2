// Creates the host of this process and runs main.
import metadata from '../../package.json' with { type: 'json' };
import { exitCodes } from '../core/errors.ts';
import { processHost } from '../platform/process-host.ts';
import { main } from './main.ts';

export async function start(argv: readonly string[]) {
  const host = processHost(metadata.version);
  const code = await main(argv, host);
  return { host, code, isUnexpected: code === exitCodes.bug.code };
}
