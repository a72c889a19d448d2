// The types of chosen-mutants.js.
import type { Mutant } from '@stryker-mutator/api/core';

export function mutantKey(mutant: Mutant): string;
