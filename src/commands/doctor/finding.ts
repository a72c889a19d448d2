// What a check is and what it finds.
import type { Context } from '../../app/context.ts';
import type { ExitReason } from '../../core/errors.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem' | 'skipped';
  found: string;
  /** What to do about it; null when there is nothing to do. */
  remedy: string | null;
  /** How a command would end because of it. */
  exitReason?: ExitReason;
}

export interface Check {
  name: string;
  /** Says what it found; a problem is thrown as the error that other commands would end with. */
  look(context: Context): Promise<Pick<Finding, 'found'> & Partial<Finding>>;
}

export const warning = (found: string, remedy: string) => ({
  state: 'warning' as const,
  found,
  remedy,
});
