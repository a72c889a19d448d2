// The files integrations.yaml, topics.yaml, contexts.yaml and variables.yaml: each is a list of resources, sorted by their ids.
import { z } from 'zod';
import type { JsonObject } from '../core/objects.ts';
import { parseYaml, writeYaml } from '../core/yaml.ts';
import { limits } from '../service/limits.ts';
import { variableKeyPattern } from '../service/rules/formats.ts';
import {
  toValueErrors,
  type ValueError,
  withPlainMessages,
} from '../service/schemas/plain-messages.ts';
import { stepFilter } from '../service/schemas/step-filters.ts';
import { jsonObject, nonEmptyText } from '../service/schemas/values.ts';
import { hasPrimary } from '../service/schemas/vocabulary.ts';
import { isSecretCredential } from '../service/secret-fields.ts';
import {
  type GivenCredentials,
  inAppChannel,
  isReference,
  isVariableName,
  isVariableOfSvc,
} from './credentials.ts';
import { plainFirstLine } from './definition-text.ts';
import {
  type GivenIntegration,
  type ListedKind,
  type ListedResource,
  nameOfKind,
  toContext,
  toIntegration,
  toTopic,
  toVariable,
} from './resource.ts';
import { createProblems, type FileProblem } from './safe-folder.ts';

export const listedKinds = [
  'variable',
  'integration',
  'context',
  'topic',
] as const satisfies readonly ListedKind[];

export const listFileName = (kind: ListedKind): string => `${kind}s.yaml`;

/** The number of the format; undefined if svc did not write the file. */
export function readFormat(text: string, name: string): number | undefined {
  const [, format] =
    new RegExp(`^\\ufeff?# svc ${name}, format (\\d+)[ \\t]*(\\r?\\n|$)`).exec(text) ?? [];
  return format === undefined ? undefined : Number(format);
}

export function toListText(kind: ListedKind, resources: readonly ListedResource[]): string {
  const items = [...resources]
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(toDocument);
  return `${plainFirstLine(nameOfKind(kind))}\n${writeYaml(items, { blockQuote: false })}`;
}

/** Leaves out what has no effect. */
export function toDocument(resource: ListedResource): JsonObject {
  if (resource.kind === 'context') return { ...resource.value };
  if (resource.kind === 'topic') {
    const { key, name } = resource.value;
    return { key, ...(name === null ? {} : { name }) };
  }
  if (resource.kind === 'variable') {
    const { key, isSecret, value = resource.credentials?.value } = resource.value;
    return { key, ...(isSecret ? { isSecret } : {}), ...(value === undefined ? {} : { value }) };
  }
  const { primary, conditions, ...settings } = resource.value;
  const { credentials = {} } = resource;
  return {
    ...settings,
    ...(hasPrimary(settings.channel) ? { primary } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
  };
}

const integrationItem = z.strictObject({
  identifier: nonEmptyText.optional(),
  providerId: nonEmptyText.optional(),
  channel: nonEmptyText,
  name: nonEmptyText.optional(),
  active: z.boolean().optional(),
  primary: z.boolean().optional(),
  conditions: z.array(stepFilter).optional(),
  credentials: jsonObject.optional(),
});

const schemas = {
  integration: z.array(integrationItem),
  context: z.array(
    z.strictObject({ type: nonEmptyText, id: nonEmptyText, data: jsonObject.optional() }),
  ),
  topic: z.array(z.strictObject({ key: nonEmptyText, name: z.string().optional() })),
  variable: z.array(
    z.strictObject({
      key: z
        .string()
        .regex(
          variableKeyPattern,
          'must start with a letter and contain only letters, digits and _',
        )
        .max(limits.environmentVariableText),
      isSecret: z.boolean().optional(),
      value: z.unknown().optional(),
    }),
  ),
} satisfies Record<ListedKind, z.ZodType>;

/** Reads the text of a list. `credentialNames`: the credentials that a request can have. */
export function readList(
  kind: ListedKind,
  text: string,
  credentialNames: readonly string[],
): { resources: ListedResource[]; problems: FileProblem[] } {
  const { value, errors, locate } = parseYaml(text);
  const { at, ofSyntax } = createProblems(listFileName(kind));
  if (errors.length > 0) return { resources: [], problems: errors.map(ofSyntax) };
  const items = value ?? [];
  const toProblem = ({ path, message }: ValueError) => at(locate(path), path, message);
  const parsed = schemas[kind].safeParse(items, withPlainMessages);
  if (!parsed.success)
    return { resources: [], problems: parsed.error.issues.flatMap(toValueErrors).map(toProblem) };
  const resources = (items as never[]).map(readers[kind]);
  const mistakes = [
    ...resources.flatMap((resource, index) =>
      resource.kind === 'variable'
        ? variableMistakes(resource, (items as GivenVariable[])[index], index)
        : integrationMistakes(
            resource,
            (items as GivenIntegration[])[index],
            index,
            credentialNames,
          ),
    ),
    ...duplicates(resources),
  ];
  return { resources, problems: mistakes.map(toProblem) };
}

const readers: Record<ListedKind, (item: never) => ListedResource> = {
  integration: ({
    credentials,
    ...settings
  }: GivenIntegration & { credentials?: GivenCredentials }) => ({
    ...toIntegration(settings),
    // An empty object would erase what the service has, so it counts as absent.
    ...(Object.keys(credentials ?? {}).length > 0
      ? { credentials: withTexts(credentials ?? {}) }
      : {}),
  }),
  context: toContext,
  topic: toTopic,
  variable: ({ value, ...settings }: GivenVariable) => ({
    ...toVariable({ ...settings, value: typeof value === 'string' ? value : undefined }),
    ...(isReference(value) ? { credentials: { value } } : {}),
  }),
};

interface GivenVariable {
  key: string;
  isSecret?: boolean;
  value?: unknown;
}

/** The messages never contain the value, which may be a secret. */
function variableMistakes(
  { kind }: ListedResource,
  { isSecret = false, value }: GivenVariable = { key: '' },
  index: number,
): ValueError[] {
  const at = (message: string) => [{ path: [index, 'value'], message }];
  if (kind !== 'variable') return [];
  if (isReference(value)) {
    const mistake = referenceMistake(value.$env);
    if (mistake !== undefined) return at(mistake);
    return isSecret ? [] : at('is a reference, so the variable must have isSecret: true');
  }
  // A backup has no values of secrets.
  if (isSecret) return value === undefined ? [] : at(secretInFile);
  if (typeof value !== 'string') return at('must be a text; put numbers in quotes');
  const most = limits.environmentVariableText;
  return value.length > most ? at(`is longer than ${most} characters`) : [];
}

const secretInFile = 'is secret: write {$env: NAME}, and set the variable NAME when you push';

function referenceMistake(name: string): string | undefined {
  if (!isVariableName(name)) return '$env must be the name of a variable';
  return isVariableOfSvc(name)
    ? 'refers to a variable of svc itself: use a name that does not begin with SVC_'
    : undefined;
}

/** The service stores a port as a text. */
const withTexts = (credentials: GivenCredentials): GivenCredentials =>
  Object.fromEntries(
    Object.entries(credentials).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? String(value) : (value as string),
    ]),
  );

/** The messages never contain the value of a credential. */
function integrationMistakes(
  resource: ListedResource,
  item: GivenIntegration | undefined,
  index: number,
  credentialNames: readonly string[],
): ValueError[] {
  if (resource.kind !== 'integration') return [];
  const { channel, primary } = resource.value;
  const at = (name: string, message: string) => ({ path: [index, name], message });
  const isInApp = channel === inAppChannel;
  const { identifier, providerId } = resource.value;
  return [
    ...(!isInApp && !identifier ? [at('identifier', 'is missing')] : []),
    ...(!isInApp && !providerId ? [at('providerId', 'is missing')] : []),
    ...(item?.primary && !primary && hasPrimary(channel)
      ? [at('primary', 'must be false for an integration that is inactive or has conditions')]
      : []),
    ...Object.entries(resource.credentials ?? {}).flatMap(([name, value]) => {
      const message = credentialMistake(name, value, credentialNames);
      return message === undefined ? [] : [{ path: [index, 'credentials', name], message }];
    }),
  ];
}

function credentialMistake(name: string, value: unknown, credentialNames: readonly string[]) {
  if (!credentialNames.includes(name)) return 'is an unknown credential';
  if (isReference(value)) return referenceMistake(value.$env);
  if (isSecretCredential(name, value) && value !== '') return secretInFile;
  return typeof value === 'string' || typeof value === 'boolean'
    ? undefined
    : 'must be a text, true, false or {$env: NAME}';
}

/** The service has one integration of an identifier, one in_app integration, and one primary one of a channel. */
function duplicates(resources: readonly ListedResource[]): ValueError[] {
  const ids = new Set<string>();
  const primaryChannels = new Set<string>();
  return resources.flatMap((resource, index): ValueError[] => {
    const mistakes = ids.has(resource.id)
      ? [{ path: [index], message: `${resource.id} is a duplicate` }]
      : [];
    ids.add(resource.id);
    if (resource.kind !== 'integration' || !resource.value.primary) return mistakes;
    const { channel } = resource.value;
    const isSecond = primaryChannels.has(channel);
    primaryChannels.add(channel);
    return isSecond
      ? [...mistakes, { path: [index, 'primary'], message: `${channel} has another primary one` }]
      : mistakes;
  });
}
