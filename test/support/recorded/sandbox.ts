// A sandbox with the state of the recorded server.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mode } from '../../../src/service/mode.ts';
import type { SandboxVersion } from '../../../src/service/versions.ts';
import { controlAt } from '../control.ts';
import { readState, serveSandbox } from '../sandbox-311.ts';
import { recordedFolder } from './corpus.ts';
import type { Server } from './play.ts';

/** With the envelope of the recorded server in both modes. */
export async function startRecordedState({
  mode = 'novu',
  service = '3.11',
}: {
  mode?: Mode;
  service?: SandboxVersion;
} = {}): Promise<Server & { close(): Promise<void> }> {
  const file = path.join(recordedFolder, 'seed.yaml');
  const seed = readState(readFileSync(file, 'utf8'), file);
  const { baseUrl, key, close } = await serveSandbox({
    isBackground: true,
    ...{ host: '127.0.0.1', port: 0, mode, service, envelope: true },
    seed,
  });
  const wait = (ms: number) => controlAt({ baseUrl, key }).advanceClock(ms);
  return { baseUrl, key, wait, close };
}
