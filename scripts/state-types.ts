// Writes the types of a state file from its JSON Schema, for the type declarations of `svc-cli/testing`.
import pluralize from 'pluralize';

interface JsonSchema {
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  type?: string | string[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const head = `// The public types of a state: the data of a sandbox. The build adds them to the package's type declarations, so this
// file imports nothing. Generated from the schema of state files by npm run docs.

/** A channel of messages. */
export type Channel = IntegrationState['channel'];
`;

/** Few people write these by hand, and `svc schema state` describes them. */
const withoutInterface = new Set(['filters']);

/** A list of objects becomes an interface with the name of its items: `topics` becomes `TopicState`. */
export function stateTypes(schema: JsonSchema): string {
  const interfaces: string[] = [];
  const declare = (name: string, { description, properties = {}, required = [] }: JsonSchema) => {
    const members = Object.entries(properties).map(([member, value]) => {
      const isRequired = required.includes(member);
      const type = join([formatType(value, member), ...(isRequired ? [] : ['undefined'])]);
      const name = `  ${member}${isRequired ? '' : '?'}:`;
      return `${formatComment(value, '  ')}${name}${broken(type, name.length)};\n`;
    });
    interfaces.push(
      `${formatComment({ description }, '')}export interface ${name} {\n${members.join('')}}\n`,
    );
    return name;
  };
  const formatType = (value: JsonSchema, name: string): string => {
    if (value.const !== undefined) return quote(value.const);
    if (value.enum) return value.enum.map(quote).join(' | ');
    if (value.anyOf) return join(value.anyOf.map((option) => formatType(option, name)));
    if (Array.isArray(value.type))
      return join(value.type.map((type) => formatType({ type }, name)));
    if (value.type === 'array') return formatList(itemType(value.items ?? {}, name));
    return value.type === 'object' ? 'Record<string, unknown>' : (value.type ?? 'unknown');
  };
  const itemType = (item: JsonSchema, list: string): string =>
    item.properties && !withoutInterface.has(list)
      ? declare(`${capitalize(pluralize.singular(list))}State`, item)
      : formatType(item, list);
  declare('SandboxState', schema);
  return `${head}\n${interfaces.reverse().join('\n')}`;
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
  description === undefined ? '' : `${indent}/** ${description} */\n`;
