// Counts phone numbers without a country code, which are sent as they are, to suggest --phone-region.
import { grouped } from '../../core/text.ts';
import type { InputRecord } from '../../input/records.ts';
import type { ColumnMap } from './columns.ts';

const plus = 43;
const zero = 48;

export function createLocalPhoneCounter(columns: ColumnMap | undefined) {
  const phone = columns?.find(({ field, place }) => field === 'phone' && place === 'field');
  let count = 0;
  return {
    /** Counts the number of a valid row. */
    add(value: unknown) {
      if (typeof value === 'string' && value !== '' && !/^(\+|00)/.test(value)) count += 1;
    },
    /** Counts the number in the cells of a valid row, without decoding it. */
    addCells({ cellBytes, firstCell = 0 }: InputRecord) {
      if (phone === undefined || cellBytes === undefined) return;
      const { block, bounds } = cellBytes;
      const bound = 2 * (firstCell + phone.index);
      const start = bounds[bound] as number;
      if (start === bounds[bound + 1] || block.bytes[start] === plus) return;
      if (block.bytes[start] !== zero || block.bytes[start + 1] !== zero) count += 1;
    },
    /** A hint if there are such numbers. */
    hint: () =>
      count === 0
        ? undefined
        : `Phone numbers without a country code: ${grouped(count)}. To convert them to E.164, add --phone-region with their country, such as --phone-region DE.`,
  };
}
