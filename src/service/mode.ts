// The two behaviors of a sandbox: as the service runs (`novu`), or as its specification says where the two differ.
import { isObject } from '../core/objects.ts';

export const modes = ['novu', 'specification'] as const;
export type Mode = (typeof modes)[number];

/** A sandbox names its mode in this header of each response. */
export const modeHeader = 'svc-sandbox';

/** The mode of the server that sent these headers. A real server is `novu`. */
export const readMode = (headers: Readonly<Record<string, string>>): Mode =>
  headers[modeHeader] === 'specification' ? 'specification' : 'novu';

/**
 * The mark of a file with workflows. Without one, a file is for the service, or its meaning is the same in both modes:
 * they differ about `skip` conditions.
 */
export const modeMark = (mode: Mode, hasSkip: boolean): Mode | undefined =>
  hasSkip || mode === 'specification' ? mode : undefined;

/** Whether a value of `skip` is a condition: an object or a list that is not empty. */
export const isCondition = (skip: unknown): skip is object =>
  typeof skip === 'object' && skip !== null && Object.keys(skip).length > 0;

/** Whether the control values of a step have a `skip` condition. Its meaning depends on the mode of the server. */
export const hasSkip = (controlValues: unknown): boolean =>
  isObject(controlValues) && isCondition(controlValues.skip);
