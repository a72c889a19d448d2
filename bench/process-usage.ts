// Memory and CPU time of a measured process, from /proc.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Waits for the end of a process and throws unless it exits with 0, or with another code that is expected. Returns its resident memory in MB and its CPU time in seconds. */
export async function measureUsage(child: ChildProcess, name: string, expected = 0) {
  const samples: number[] = [];
  let peak = 0;
  let cpu = 0;
  const timer = setInterval(() => {
    const memory = readMemory(child);
    if (memory.now > 0) samples.push(memory.now);
    peak = Math.max(peak, memory.peak);
    cpu = Math.max(cpu, cpuSeconds(child));
  }, 50);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== expected) throw new Error(`${name} exited with ${code}`);
  const third = Math.ceil(samples.length / 3);
  return { peak, cpu, early: mean(samples.slice(0, third)), late: mean(samples.slice(-third)) };
}

/** Resident memory of a process, now and at its peak, in MB; 0 after its end. */
export function readMemory({ pid }: ChildProcess) {
  const status = readProcessFile(pid, 'status');
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** CPU time of a process until now, in seconds; 0 after its end. */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readProcessFile(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

function readProcessFile(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

const mean = (values: readonly number[]) =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
