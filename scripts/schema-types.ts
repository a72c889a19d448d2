// Writes the types of a state file and of the responses of the control routes from their JSON Schemas, for the type
// declarations of `svc-cli/testing`.
import pluralize from 'pluralize';
import { z } from 'zod';
import { controlSchemas } from '../src/sandbox/control/schemas.ts';
import { stateJsonSchema } from '../src/sandbox/state/schema.ts';
import { channelTypes } from '../src/service/schemas/vocabulary.ts';

interface JsonSchema {
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  type?: string | string[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
}

const head = `// The public types of data: of the state of a sandbox, and of what it captured. The build adds them to the package's type
// declarations, so this file imports nothing. Generated from the schemas of state files and control routes by npm run
// docs.

/** A channel of messages. */
export type Channel = IntegrationState['channel'];
`;

/** The responses of control routes that the members of a sandbox return, by the name of the type. */
const responses = {
  ClockState: 'Clock',
  ClockMove: 'ClockMove',
  CapturedMessage: 'Message',
  TriggeredEvent: 'Event',
  RecordedRequest: 'Request',
  FaultState: 'Faults',
} as const;

/** The names of the items of lists. */
const itemNames: Readonly<Record<string, string>> = {
  attachments: 'Attachment',
  missingVariables: 'TemplateVariable',
  objectVariables: 'TemplateVariable',
  links: 'MessageLink',
  steps: 'StepResult',
  deliveries: 'DeliveryFault',
};

/** A list of objects of a state becomes an interface with the name of its items: `topics` becomes `TopicState`. */
const stateName = (list: string): string | undefined =>
  // Few people write these by hand, and `svc schema state` describes them.
  list === 'filters' ? undefined : `${capitalize(pluralize.singular(list))}State`;

export function schemaTypes(): string {
  const state = interfaces('SandboxState', stateJsonSchema(), stateName);
  const others = Object.entries(responses).flatMap(([name, schema]) =>
    interfaces(
      name,
      z.toJSONSchema(controlSchemas[schema], { unrepresentable: 'any' }) as JsonSchema,
      (list) => itemNames[list],
      channelTypes,
    ),
  );
  return `${head}\n${[...new Set([...state, ...others])].join('\n')}`;
}

/** The interface of a schema, followed by those of the items of its lists. `channels` are written as `Channel`. */
function interfaces(
  rootName: string,
  root: JsonSchema,
  nameItems: (list: string) => string | undefined,
  channels?: readonly string[],
): string[] {
  const declared: string[] = [];
  const declare = (name: string, { description, properties = {}, required = [] }: JsonSchema) => {
    const members = Object.entries(properties).map(([member, value]) => {
      const isRequired = required.includes(member);
      const type = join([formatType(value, member), ...(isRequired ? [] : ['undefined'])]);
      const name = `  ${/^\w+$/.test(member) ? member : quote(member)}${isRequired ? '' : '?'}:`;
      return `${formatComment(value, '  ')}${name}${broken(type, name.length)};\n`;
    });
    declared.push(
      `${formatComment({ description }, '')}export interface ${name} {\n${members.join('')}}\n`,
    );
    return name;
  };
  const formatType = (value: JsonSchema, name: string): string => {
    if (value.const !== undefined) return quote(value.const);
    if (value.enum) {
      const isChannel = channels && value.enum.join() === channels.join();
      return isChannel ? 'Channel' : value.enum.map(quote).join(' | ');
    }
    if (value.anyOf) return join(value.anyOf.map((option) => formatType(option, name)));
    if (Array.isArray(value.type))
      return join(value.type.map((type) => formatType({ type }, name)));
    if (value.type === 'array') return formatList(itemType(value.items ?? {}, name));
    if (value.type === 'integer') return 'number';
    return value.type === 'object' ? recordType(value, name) : (value.type ?? 'unknown');
  };
  const recordType = ({ additionalProperties: values }: JsonSchema, name: string) =>
    `Record<string, ${typeof values === 'object' ? formatType(values, name) : 'unknown'}>`;
  const itemType = (item: JsonSchema, list: string): string => {
    const name = item.properties && nameItems(list);
    return name ? declare(name, item) : formatType(item, list);
  };
  declare(rootName, root);
  return declared.reverse();
}

/** As the formatter breaks a line that is too long. */
const broken = (type: string, column: number) =>
  column + type.length + 2 > 100
    ? type
        .split(' | ')
        .map((option) => `\n    | ${option}`)
        .join('')
    : ` ${type}`;

const quote = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const join = (types: string[]) => [...new Set(types)].join(' | ');
const formatList = (type: string) => (type.includes(' | ') ? `(${type})[]` : `${type}[]`);
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const formatComment = ({ description }: { description?: string | undefined }, indent: string) =>
  description === undefined
    ? ''
    : `${indent}/** ${description}${description.endsWith('.') ? '' : '.'} */\n`;
