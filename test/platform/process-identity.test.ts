// What tells a process from others that have or had its id.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processHost } from '../../src/platform/process-host.ts';
import { readIdentity } from '../../src/platform/process-identity.ts';

const thisHost = processHost('0.0.0');

describe.runIf(process.platform === 'linux')('a process', () => {
  it('is known by its host and its start, which no other one of its id has', () => {
    const { host, start } = thisHost.identity ?? {};
    expect(host).toBe(readFileSync('/proc/sys/kernel/hostname', 'utf8').trim());
    expect(start).toMatch(/^[\da-f]{16}\.\d+$/);
    expect(thisHost.isAlive(process.pid)).toBe(true);
    expect(thisHost.isAlive(process.pid, start)).toBe(true);
    expect(thisHost.isAlive(process.pid, `${start}0`)).toBe(false);
  });

  it('that has ended is gone, also while its parent has not noticed', async () => {
    // The shell becomes a program that never asks what became of its child.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill());
    const text = await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve));
    const pid = Number(text.toString());
    const state = () => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    while (state() !== 'Z') await wait(5);
    expect(thisHost.isAlive(pid)).toBe(false);
  });

  it('is known by its id alone where the system says no more', () => {
    expect(readIdentity(process.pid, 'darwin')).toBeUndefined();
    expect(readIdentity(2 ** 30, 'linux')).toBeUndefined();
    expect(thisHost.isAlive(2 ** 30)).toBe(false);
  });
});
