// Variables of a template that were missing, or that were printed as an object, which is seldom meant.

export interface TemplateVariable {
  /** The control value that contains it, such as `subject`, or `layout`. */
  template: string;
  /** As in the template: `payload.name`. */
  variable: string;
}

export interface VariableProblems {
  /** Missing or null, without those that have a default. */
  missingVariables: TemplateVariable[];
  objectVariables: TemplateVariable[];
}

/** As in a message, where empty lists are absent. */
export type GivenProblems = { [List in keyof VariableProblems]?: TemplateVariable[] | undefined };

/** `missing: payload.name (subject), payload.total (body)`; one text for each kind of problem. */
export function variableProblemTexts({
  missingVariables = [],
  objectVariables = [],
}: GivenProblems): string[] {
  return [
    ...listed('missing', missingVariables),
    ...listed('printed as an object', objectVariables),
  ];
}

const listed = (name: string, variables: readonly TemplateVariable[]): string[] =>
  variables.length === 0
    ? []
    : [
        `${name}: ${variables.map(({ template, variable }) => `${variable} (${template})`).join(', ')}`,
      ];
