// A disk for tests that records what is done and can fail. Use it with
// `vi.mock('node:fs', async (original) => (await import('./failing-disk.ts')).failingFs(await original()))`.
import path from 'node:path';

type Fs = typeof import('node:fs');

export const disk = {
  /** The names of open files. */
  open: new Map<number, string>(),
  /** Operations so far, such as `sync ledger.ndjson`. */
  done: [] as string[],
  /** Operations that fail, such as `write ledger.ndjson`. */
  failing: new Set<string>(),
  reset() {
    disk.open.clear();
    disk.done.length = 0;
    disk.failing.clear();
  },
};

function note(did: string, on: number | string): void {
  const name = typeof on === 'string' ? path.basename(on) : disk.open.get(on);
  disk.done.push(`${did} ${name}`);
  if (!disk.failing.has(`${did} ${name}`)) return;
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${did}`), { code: 'ENOSPC' });
}

export const failingFs = (fs: Fs) => ({
  ...fs,
  openSync: (...given: Parameters<typeof fs.openSync>) => {
    const descriptor = fs.openSync(...given);
    disk.open.set(descriptor, path.basename(String(given[0])));
    return descriptor;
  },
  closeSync: (descriptor: number) => {
    disk.open.delete(descriptor);
    fs.closeSync(descriptor);
  },
  /** A write that fails writes the first half. */
  writeSync: (...given: [number, Buffer, number, number, number | null]) => {
    const [descriptor, bytes, from, length, at] = given;
    try {
      note('write', descriptor);
    } catch (error) {
      fs.writeSync(descriptor, bytes, from, Math.floor(length / 2), at);
      throw error;
    }
    return fs.writeSync(...given);
  },
  fsyncSync: (descriptor: number) => {
    note('sync', descriptor);
    fs.fsyncSync(descriptor);
  },
  fdatasync: (descriptor: number, done: (error: Error | null) => void) => {
    try {
      note('sync', descriptor);
    } catch (error) {
      return done(error as Error);
    }
    fs.fdatasync(descriptor, done);
  },
  ftruncateSync: (descriptor: number, length: number) => {
    note('truncate', descriptor);
    fs.ftruncateSync(descriptor, length);
  },
  linkSync: (from: string, to: string) => {
    note('link', to);
    fs.linkSync(from, to);
  },
  renameSync: (from: string, to: string) => {
    note('rename', to);
    fs.renameSync(from, to);
  },
  /** Checks the mode for the owner, also if the tests run as root, who can write everywhere. */
  accessSync: (file: string, mode: number) => {
    const allowed = fs.statSync(file).mode >> 6;
    if ((allowed & mode) !== mode) throw new Error('EACCES: permission denied');
  },
});
