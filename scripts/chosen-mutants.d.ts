// The types of chosen-mutants.js.
interface Position {
  line: number;
  column: number;
}

export function mutantKey(mutant: {
  fileName: string;
  location: { start: Position; end: Position };
  mutatorName: string;
  replacement: string;
}): string;

export function isSurvivor(mutant: { status: string }): boolean;
