// The shape of a check and of its finding.
import type { Context } from '../../app/context.ts';
import type { ExitReason } from '../../core/errors.ts';

export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  message: string;
  /** How to fix it; null when there is nothing to fix. */
  fix: string | null;
  /** The exit reason of a command that fails because of it. */
  exitReason?: ExitReason;
}

export interface Check {
  name: string;
  /** It is skipped after a problem of this check; `all`: of any check but `sandbox`. */
  needs?: 'address' | 'all';
  /** Returns what it finds. Throws the error that other commands would exit with when there is a problem. */
  run(context: Context): Promise<Pick<Finding, 'message'> & Partial<Finding>>;
}

export const warning = (message: string, fix: string) => ({
  status: 'warning' as const,
  message,
  fix,
});
