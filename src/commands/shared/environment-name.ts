// The name of an environment within a sentence.

/** `in Production (profile live)` → `Production (profile live)`. */
export const environmentName = (place: string): string => place.replace(/^(in|at) /, '');
