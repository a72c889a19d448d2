// A step whose control values, or what it renders, break the rules of its type.

export interface StepProblem {
  path: string;
  message: string;
}

export class InvalidStepError extends Error {
  readonly part: 'controls' | 'output';
  readonly problems: readonly StepProblem[];

  constructor(part: 'controls' | 'output', problems: readonly StepProblem[]) {
    super(problems.map(({ path, message }) => `${path.slice(1)} ${message}`.trim()).join('; '));
    this.part = part;
    this.problems = problems;
  }
}
