// Runs a command as a child that shares the standard streams of svc, forwards signals to it, and waits for its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { ChildEnd, Host } from './host.ts';

/** The signals that a terminal also sends to the child. */
const terminalSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const;
const signals = [...terminalSignals, 'SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const;

export const runChild: Host['runChild'] = async ([file, ...args], { env, cwd, output }) => {
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  // A signal that is sent to the group of svc must not reach the child twice: once from the sender and once from svc.
  // So the child has its own group, unless a terminal controls both: there, the child reads keys and gets Ctrl-C itself.
  const hasOwnGroup = !hasTerminal && process.platform !== 'win32';
  let child: ChildProcess;
  try {
    const stdout = output === 'stderr' ? 2 : 'inherit';
    const stdio = ['inherit', stdout, 'inherit'] as const;
    child = spawn(file, args, { env, cwd, stdio: [...stdio], detached: hasOwnGroup });
  } catch (cause) {
    return { failure: cause };
  }
  const forward = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(hasOwnGroup ? -child.pid : child.pid, signal);
    } catch {
      // The child has exited already.
    }
  };
  const ignore = () => undefined;
  const isForwarded = (signal: (typeof signals)[number]) =>
    hasOwnGroup || !terminalSignals.some((other) => other === signal);
  const listeners = signals.map((signal) => {
    const listener = isForwarded(signal) ? forward : ignore;
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  try {
    return await new Promise<ChildEnd>((resolve) => {
      child.once('error', (failure) => resolve({ failure }));
      child.once('exit', (code, signal) =>
        resolve({ exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0) }),
      );
    });
  } finally {
    for (const remove of listeners) remove();
  }
};
