// Ids for the events that svc triggers.
import { createHash } from 'node:crypto';
import type { Host } from '../../platform/host.ts';

export const newTransactionId = ({ newId }: Pick<Host, 'newId'>): string =>
  toTransactionId(newId().replaceAll('-', ''));

/** The same id for the same text. */
export const transactionIdFor = (text: string): string =>
  toTransactionId(createHash('sha256').update(text).digest('hex'));

/** Derived from the run and the row, so that resuming and cancelling the run find it again. Independent of the row content. */
export const rowTransactionId = (idScope: string, row: number): string =>
  transactionIdFor(`${idScope}\n${row}`);

const toTransactionId = (digits: string) => `txn_${digits.slice(0, 24)}`;
