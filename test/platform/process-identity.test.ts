// Process identity: distinguishes a process from others that reuse its id.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processHost } from '../../src/platform/process-host.ts';
import { readIdentity } from '../../src/platform/process-identity.ts';

const thisHost = processHost('0.0.0');

describe.runIf(process.platform === 'linux')('a process', () => {
  it('is identified by host and start time', () => {
    const { host, start } = thisHost.identity ?? {};
    expect(host).toBe(readFileSync('/proc/sys/kernel/hostname', 'utf8').trim());
    expect(start).toMatch(/^[\da-f]{16}\.\d+$/);
    expect(thisHost.isAlive(process.pid)).toBe(true);
    expect(thisHost.isAlive(process.pid, start)).toBe(true);
    expect(thisHost.isAlive(process.pid, `${start}0`)).toBe(false);
  });

  it('that has exited is not alive, even as a zombie', async () => {
    // The shell becomes a program that never waits for its child.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill());
    const text = await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve));
    const pid = Number(text.toString());
    const state = () => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    while (state() !== 'Z') await wait(5);
    expect(thisHost.isAlive(pid)).toBe(false);
  });

  it('is identified by its id only if the system does not provide more', () => {
    expect(readIdentity(process.pid, 'darwin')).toBeUndefined();
    expect(readIdentity(2 ** 30, 'linux')).toBeUndefined();
    expect(thisHost.isAlive(2 ** 30)).toBe(false);
  });
});
