// Fast path: encodes the bytes of CSV cells directly as the JSON of a subscriber, without text or an object in between.
// Rows that need conversion or may be invalid take the slow path through the schema, which reports what is wrong.
import { type CellBytes, cellText } from '../../input/cell-bytes.ts';
import type { InputRecord } from '../../input/records.ts';
import type { ItemWriter } from '../engine/body-writer.ts';
import type { Item } from '../engine/plan.ts';
import { type CellCheck, fieldChecks, isIdCell } from './cell-checks.ts';
import { type ColumnMap, dataObjectColumn } from './columns.ts';
import { type CellOptions, inferValue } from './row-mapper.ts';

interface CellColumn {
  index: number;
  /** `,"firstName":` */
  name: Buffer;
  /** The name of the first member of `data`: `,"data":{"plan":` */
  firstName: Buffer;
  isData: boolean;
  check: CellCheck | undefined;
}

const asterisk = 42;
/** Longer records take the slow path. */
const maxRecordBytes = 16 * 1024;
/** A byte of a cell becomes at most six bytes of JSON: `\u001f`. */
const maxBytesPerByte = 6;

/** Index of the column with the id; -1 if no column contains it. */
const findIdColumn = (columns: ColumnMap): number =>
  columns.reduce(
    (idIndex, { index, field, place }) =>
      field === 'subscriberId' && place === 'field' ? index : idIndex,
    -1,
  );

/** `isFinalPhone` is false for phone numbers to convert. The encoder returns undefined for rows that must take the slow path. */
export function compileRowEncoder(
  columns: ColumnMap,
  { infer, clearEmpty }: CellOptions,
  isFinalPhone?: (cell: string) => boolean,
): (record: InputRecord, body: ItemWriter) => Item | undefined {
  const checks: Record<string, CellCheck> = {
    ...fieldChecks(),
    // The slow path reads the JSON object.
    [dataObjectColumn]: () => false,
    ...(isFinalPhone
      ? { phone: (cells: CellBytes, cell: number) => isFinalPhone(cellText(cells, cell)) }
      : {}),
  };
  const columnsAt = (place: string): CellColumn[] =>
    columns
      .filter((column) => column.place === place && column.field !== 'subscriberId')
      .map(({ index, field }) => ({
        index,
        name: Buffer.from(`,${JSON.stringify(field)}:`),
        firstName: Buffer.from(`,"data":{${JSON.stringify(field)}:`),
        isData: place === 'data',
        check: place === 'field' ? checks[field] : undefined,
      }));
  const members = [...columnsAt('field'), ...columnsAt('data')];
  const idColumn = findIdColumn(columns);
  const fixedBytes = members.reduce((sum, { firstName }) => sum + firstName.length + 2, 64);
  const maxBytesPerCellByte = maxBytesPerByte * maxCopies([idColumn, ...members.map(cellIndex)]);

  return (record, body) => {
    const { cellBytes, firstCell = 0 } = record;
    const size = record.end - record.start;
    if (!cellBytes || idColumn < 0 || size > maxRecordBytes) return undefined;
    const { block, bounds } = cellBytes;
    const { bytes } = block;
    const idCell = firstCell + idColumn;
    const idStart = bounds[2 * idCell] as number;
    const idEnd = bounds[2 * idCell + 1] as number;
    if (!isIdCell(cellBytes, idCell, idStart, idEnd)) return undefined;
    body.start(fixedBytes + maxBytesPerCellByte * size);
    body.addBytes(idName);
    body.addQuoted(bytes, idStart, idEnd);
    let hasData = false;
    for (const { index, name, firstName, isData, check } of members) {
      const cell = firstCell + index;
      const start = bounds[2 * cell] as number;
      const end = bounds[2 * cell + 1] as number;
      if (start === end) {
        if (clearEmpty) return undefined;
        continue;
      }
      // The slow path recognizes masked secrets, which consist of asterisks.
      if (bytes[start] === asterisk) return undefined;
      if (check && !check(cellBytes, cell, start, end)) return undefined;
      body.addBytes(isData && !hasData ? firstName : name);
      hasData ||= isData;
      // With --infer, the type of custom data depends on the cell.
      if (infer && isData) body.addText(JSON.stringify(inferValue(cellText(cellBytes, cell))));
      else body.addQuoted(bytes, start, end);
    }
    body.addBytes(hasData ? closeData : close);
    return { id: cellText(cellBytes, idCell) };
  };
}

const cellIndex = ({ index }: CellColumn) => index;

/** How often a cell is copied at most, because a column can fill several fields. */
const maxCopies = (indexes: readonly number[]) =>
  Math.max(...indexes.map((index) => indexes.filter((other) => other === index).length));

const idName = Buffer.from('{"subscriberId":');
const close = Buffer.from('}');
const closeData = Buffer.from('}}');
