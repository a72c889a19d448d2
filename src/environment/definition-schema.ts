// The schema of workflow and layout files. Members with a default can be omitted. Members and step types of newer servers
// are accepted and kept.
import { z } from 'zod';
import type { Context } from '../app/context.ts';
import type { JsonObject } from '../core/objects.ts';
import { closestMatches } from '../core/suggestions.ts';
import { identifierForm, identifierPattern } from '../service/rules/formats.ts';
import {
  toValueErrors,
  type ValueError,
  withPlainMessages,
} from '../service/schemas/plain-messages.ts';
import { jsonObject } from '../service/schemas/values.ts';
import { allStepTypes, severities } from '../service/schemas/vocabulary.ts';
import { workflowSettings } from '../service/schemas/workflows.ts';
import { isDerived, laterMembers } from '../service/workflow-defaults.ts';
import type { Definition } from './normal-form.ts';
import { isDefinition, type Resource } from './resource.ts';

const fileId = z.string().regex(identifierPattern, identifierForm);
const flag = z.boolean().optional();

const preferences = z.looseObject({
  user: jsonObject.nullable().optional(),
  default: jsonObject.optional(),
});

const step = z.looseObject({
  stepId: z.string(),
  name: z.string().optional(),
  type: z.string(),
  controlValues: jsonObject.nullable().optional(),
});

const workflowFile = z.looseObject({
  workflowId: fileId,
  name: z.string().optional(),
  ...workflowSettings,
  severity: z.string().optional(),
  preferences: preferences.optional(),
  steps: z.array(step).optional(),
});

const layoutFile = z.looseObject({
  layoutId: fileId,
  name: z.string().optional(),
  isTranslationEnabled: flag,
  controlValues: jsonObject.optional(),
});

/** Returns the errors of the content of a file: its schema, and steps with the same id. */
export function findFileErrors(kind: Definition['kind'], value: unknown): ValueError[] {
  const schema = kind === 'workflow' ? workflowFile : layoutFile;
  const parsed = schema.safeParse(value, withPlainMessages);
  if (!parsed.success) return parsed.error.issues.flatMap(toValueErrors);
  const { steps = [] } = parsed.data as { steps?: z.output<typeof step>[] };
  return [
    ...findUnknownMembers(kind, parsed.data)
      .filter(({ isMistake }) => isMistake)
      .map(({ path }) => ({ path, message: 'is an unknown field' })),
    ...steps.flatMap(({ stepId }, index) =>
      steps.findIndex((other) => other.stepId === stepId) < index
        ? [{ path: ['steps', index, 'stepId'], message: `"${stepId}" is a duplicate` }]
        : [],
    ),
  ];
}

interface UnknownMember {
  path: (string | number)[];
  /** Whether it is a misspelled member, or one that no definition has. Others can be of a newer server. */
  isMistake: boolean;
}

function findUnknownMembers(kind: Definition['kind'], value: object): UnknownMember[] {
  const { preferences: levels = {}, steps = [] } = value as {
    preferences?: object;
    steps?: object[];
  };
  if (kind === 'layout') return unknownIn(value, layoutFile.shape, {}, []);
  return [
    ...unknownIn(value, workflowFile.shape, laterMembers.workflow, []),
    ...unknownIn(levels, preferences.shape, {}, ['preferences']),
    ...steps.flatMap((item, index) =>
      unknownIn(item, step.shape, laterMembers.step, ['steps', index]),
    ),
  ];
}

/** A file that svc wrote has every member of `known`, so that it contains no misspelled ones. */
function unknownIn(
  value: object,
  known: JsonObject,
  later: JsonObject,
  path: (string | number)[],
): UnknownMember[] {
  const absent = Object.keys(known).filter((name) => !Object.hasOwn(value, name));
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name) && !Object.hasOwn(later, name))
    .map((name) => ({
      path: [...path, name],
      isMistake: isDerived(name) || closestMatches(name, absent).length > 0,
    }));
}

/** A part of a definition that this version of svc does not know. It is kept as it is. */
interface UnknownPart {
  path: (string | number)[];
  /** Such as: step type `approval`. */
  what: string;
  /** The known one that is meant, if it is misspelled. */
  suggestion?: string | undefined;
}

export function findUnknownParts({ kind, value }: Definition): UnknownPart[] {
  const members = findUnknownMembers(kind, value).map(({ path }) => ({
    path,
    what: `${path[0] === 'steps' ? 'step ' : ''}field \`${path.at(-1)}\``,
  }));
  if (kind === 'layout') return members;
  const isKnown = (values: readonly string[], text: string) => values.includes(text);
  return [
    ...members,
    ...(isKnown(severities, value.severity)
      ? []
      : [{ path: ['severity'], what: `severity \`${value.severity}\`` }]),
    ...value.steps.flatMap(({ type }, index) =>
      isKnown(allStepTypes, type)
        ? []
        : [
            {
              path: ['steps', index, 'type'],
              what: `step type \`${type}\``,
              suggestion: closestMatches(type, allStepTypes)[0],
            },
          ],
    ),
  ];
}

/** Names the parts of workflows and layouts that a newer server has. They are compared and copied as they are. */
export function noteUnknown({ note }: Context, resources: readonly Resource[]): void {
  const parts = resources
    .filter(isDefinition)
    .flatMap((resource) => findUnknownParts(resource).map(({ what }) => what));
  if (parts.length > 0)
    note(`Unknown to this version of svc, and kept unchanged: ${[...new Set(parts)].join(', ')}.`);
}
