// Counts, for each area of the interface, the exchanges that agree with the recorded ones.
import { findDifferences, type Played } from './play.ts';

/** How many of `exchanges` have the same status, the same members and types, and the same values. */
export interface Agreement {
  exchanges: number;
  status: number;
  shape: number;
  whole: number;
}

export interface Result extends Agreement {
  area: string;
  name: string;
  differences: string[];
}

/** Exchanges without a response, or about which the specification says otherwise, are left out. */
export const judge = (played: readonly Played[]): Result[] =>
  played
    .filter(({ exchange: { answer, spec } }) => answer !== undefined && spec === undefined)
    .map((recorded) => {
      const differences = findDifferences(recorded);
      const status = differences.every(({ path }) => path !== 'status');
      const shape = differences.every(({ kind }) => kind !== 'shape');
      return {
        area: recorded.exchange.area,
        name: recorded.exchange.name,
        exchanges: 1,
        status: Number(status),
        shape: Number(shape),
        whole: Number(differences.length === 0),
        differences: differences.map(({ text }) => text),
      };
    });

export function countByArea(results: readonly Result[]): Record<string, Agreement> {
  const areas: Record<string, Agreement> = {};
  for (const { area, exchanges, status, shape, whole } of results) {
    const sum = areas[area] ?? { exchanges: 0, status: 0, shape: 0, whole: 0 };
    areas[area] = {
      exchanges: sum.exchanges + exchanges,
      status: sum.status + status,
      shape: sum.shape + shape,
      whole: sum.whole + whole,
    };
  }
  return areas;
}
