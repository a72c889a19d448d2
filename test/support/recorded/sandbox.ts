// A sandbox with the state of the recorded server.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readState, serveSandbox } from '../../../src/sandbox/index.ts';
import { recordedFolder } from './corpus.ts';
import type { Server } from './play.ts';
import { send } from './send.ts';

export async function startRecordedState(): Promise<Server & { close(): Promise<void> }> {
  const file = path.join(recordedFolder, 'seed.yaml');
  const seed = readState(readFileSync(file, 'utf8'), file);
  const { baseUrl, key, close } = await serveSandbox({
    ...{ host: '127.0.0.1', port: 0, compat: true },
    seed,
  });
  const headers = { Authorization: `ApiKey ${key}`, 'Content-Type': 'application/json' };
  const wait = (ms: number) =>
    send(baseUrl, {
      ...{ method: 'POST', path: '/__sandbox/clock', headers },
      body: JSON.stringify({ advance: ms }),
    });
  return { baseUrl, key, wait, close };
}
