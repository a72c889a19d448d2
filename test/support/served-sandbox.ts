// A sandbox that listens on loopback in the test process, and the profile `sandbox` for it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Mode } from '../../src/service/mode.ts';
import { testKey } from './fixed.ts';
import { serveSandbox } from './sandbox-311.ts';

/** Starts a sandbox; returns its base URL. */
export async function startSandbox({ mode }: { mode?: Mode } = {}): Promise<string> {
  const sandbox = await serveSandbox({
    ...{ host: '127.0.0.1', port: 0, key: testKey, mode },
    // The file of the test may end before the modules of a sandbox in the foreground are loaded.
    isBackground: true,
  });
  onTestFinished(() => sandbox.close());
  return sandbox.baseUrl;
}

/** Writes a configuration to a home folder. Its current profile is that of a sandbox. */
export function saveSandboxProfile(
  { folder }: { folder: string },
  baseUrl: string,
  key = testKey,
): void {
  const config = path.join(folder, '.config', 'svc');
  const sandbox = { baseUrl, key, keySource: 'file', sandbox: true };
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(
    path.join(config, 'config.json'),
    JSON.stringify({ current: 'sandbox', profiles: { sandbox } }),
    { mode: 0o600 },
  );
}

/** Starts a sandbox and makes its profile the current one of a home folder. */
export async function useSandbox(home: {
  folder: string;
}): Promise<{ baseUrl: string; key: string }> {
  const baseUrl = await startSandbox();
  saveSandboxProfile(home, baseUrl);
  return { baseUrl, key: testKey };
}
