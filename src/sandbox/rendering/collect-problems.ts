// Collects the variables of templates that are missing, or printed as an object.
import type { TemplateVariable, VariableProblems } from '../../core/variable-problems.ts';
import type { ReportVariable } from './liquid.ts';

export interface ProblemCollector extends VariableProblems {
  /** Returns a function that reports the variables of a template, or of several by position. */
  of(template: string | ((position: number) => string)): ReportVariable;
}

/** Collects each variable of each template once. */
export function collectProblems(): ProblemCollector {
  const missingVariables: TemplateVariable[] = [];
  const objectVariables: TemplateVariable[] = [];
  return {
    missingVariables,
    objectVariables,
    of: (nameOf) => (problem, variable, position) => {
      const template = typeof nameOf === 'string' ? nameOf : nameOf(position);
      const list = problem === 'missing' ? missingVariables : objectVariables;
      const isKnown = list.some(
        (problem) => problem.template === template && problem.variable === variable,
      );
      if (!isKnown) list.push({ template, variable });
    },
  };
}
