// TypeScript types of the payloads of workflows, made from their payload schemas.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/lossless-json.ts';
import type { JsonObject } from '../../core/objects.ts';
import { shellWord } from '../../core/text.ts';
import { defaultFolder, resolveFiles } from '../../environment/folder.ts';
import type { NormalWorkflow } from '../../environment/normal-form.ts';
import { readFolder } from '../../environment/read-definitions.ts';
import { createRemoteReader } from '../../environment/remote.ts';
import * as result from '../../output/result.ts';
import { chooseOutputFile, writeOutputFile } from '../../platform/files/output-file.ts';

interface TypesOptions {
  from?: string;
  out?: string;
  check?: boolean;
  force?: boolean;
}

export async function printTypes(
  context: Context,
  folder: string | undefined,
  { from, out, check = false, force = false }: TypesOptions,
) {
  if (folder !== undefined && from !== undefined)
    throw usageError('--from cannot be combined with a folder.');
  if (check && out === undefined)
    throw usageError('--check needs --out: the file to compare with.');
  if (force && out === undefined) throw usageError('--force needs --out: the file to replace.');
  const workflows =
    from === undefined
      ? readFromFolder(context, folder ?? defaultFolder)
      : await readFromEnvironment(context, from);
  const text = toDeclarations(workflows);
  if (out === undefined)
    return result.report({
      value: { file: null, workflows: workflows.length, result: null, text },
      lines: text
        .trimEnd()
        .split('\n')
        .map((line) => [{ text: line }]),
      ids: workflows.map(({ workflowId }) => workflowId),
      tsv: text.trimEnd(),
    });
  return writeTypes(context, { out, text, check, force, count: workflows.length, folder, from });
}

function readFromFolder(context: Context, folder: string): NormalWorkflow[] {
  const named = resolveFiles(context, [folder]);
  if (named.kind === 'files') throw usageError(`${folder} is not a folder.`);
  const workflows = readFolder(named.folder, named.shownAs).files.flatMap(({ resource }) =>
    resource.kind === 'workflow' ? [resource.value] : [],
  );
  if (workflows.length > 0) return workflows;
  throw usageError(`${folder} contains no workflow files.`, {
    hint: 'Create them, or read an environment with --from.',
    next: ['svc workflows pull'],
  });
}

/** Workflows that are defined in code have payloads, too. */
async function readFromEnvironment(context: Context, profile: string): Promise<NormalWorkflow[]> {
  const { client } = await context.connection.service(profile);
  const reader = createRemoteReader(client);
  const workflows = await reader.findAll('workflow', await reader.ids('workflow'));
  return workflows.flatMap(({ resource }) =>
    resource.kind === 'workflow' ? [resource.value] : [],
  );
}

interface Written {
  out: string;
  text: string;
  check: boolean;
  force: boolean;
  count: number;
  folder: string | undefined;
  from: string | undefined;
}

function writeTypes(context: Context, { out, text, check, force, count, folder, from }: Written) {
  const file = path.resolve(context.host.cwd, out);
  const isDry = context.globals.dryRun !== undefined;
  const output =
    check || isDry
      ? undefined
      : chooseOutputFile(context.host, out, { isOwn: isDeclarationText, force });
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (output && !isSame) writeOutputFile(output, text);
  const outcome = isSame ? 'unchanged' : check || isDry ? 'different' : 'written';
  const source = [
    ...(folder === undefined ? [] : [` ${shellWord(folder)}`]),
    ...(from === undefined ? [] : [` --from ${shellWord(from)}`]),
  ].join('');
  const lines = {
    written: [`Wrote ${out}.`],
    unchanged: [`${out} is up to date.`],
    different: [
      `${out} differs. To write it: ${context.propose(`svc workflows types${source} --out ${shellWord(out)}`)}`,
    ],
  };
  return result.report({
    value: { file: out, workflows: count, result: outcome, text },
    lines: lines[outcome],
    ids: [out],
    tsv: out,
    ...(check && !isSame ? { end: result.exit('different') } : {}),
  });
}

interface Source {
  workflowId: string;
  payloadSchema: JsonObject | null;
}

const firstLine =
  '// Made by `svc workflows types` from the payload schemas of workflows. Do not edit.';

/** Whether a file that starts with this text contains declarations of an earlier call. */
export const isDeclarationText = (start: string): boolean => start.startsWith(firstLine);

/** The text of a declaration file: a type for each workflow, and a map from their ids to these types. */
export function toDeclarations(workflows: readonly Source[]): string {
  const names = new Set<string>();
  const sorted = [...workflows].sort((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
  const types = sorted.map(({ workflowId, payloadSchema }) => {
    const name = uniqueName(`${pascalCase(workflowId)}Payload`, names);
    return { workflowId, name, text: declaration(name, payloadSchema) };
  });
  const members = types.map(({ workflowId, name }) => `  ${memberName(workflowId)}: ${name};\n`);
  return [
    `${firstLine}\n`,
    ...types.map(({ workflowId, text }) => `/** The payload of \`${workflowId}\`. */\n${text}`),
    `/** The payload of each workflow, by its id. */\nexport interface WorkflowPayloads {\n${members.join('')}}\n`,
    'export type WorkflowId = keyof WorkflowPayloads;\n',
  ].join('\n');
}

function declaration(name: string, schema: JsonObject | null): string {
  if (schema === null) return `export type ${name} = ${anyObject};\n`;
  const type = toType(schema, { root: schema, references: [] }, '');
  return type.startsWith('{\n')
    ? `export interface ${name} ${type}\n`
    : `export type ${name} = ${type};\n`;
}

const anyObject = 'Record<string, unknown>';

interface Scope {
  /** The schema that `$ref` refers to. */
  root: JsonObject;
  /** The references that lead to this place: a type that contains itself ends there. */
  references: readonly string[];
}

const simpleTypes: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function toType(schema: unknown, scope: Scope, indent: string): string {
  if (schema === false) return 'never';
  if (!isJsonObject(schema)) return 'unknown';
  const { $ref, enum: choices, oneOf, anyOf, allOf, type } = schema;
  if (typeof $ref === 'string') return toReferenced($ref, scope, indent);
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(choices)) return union(choices.map(literal));
  const alternatives = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(alternatives))
    return union(alternatives.map((item) => toType(item, scope, indent)));
  if (Array.isArray(allOf)) {
    const { allOf: _, ...own } = schema;
    const parts = [...('properties' in own ? [own] : []), ...(allOf as unknown[])];
    return parts.map((item) => grouped(toType(item, scope, indent))).join(' & ') || 'unknown';
  }
  if (Array.isArray(type))
    return union(type.map((name: unknown) => toType({ ...schema, type: name }, scope, indent)));
  const simple = typeof type === 'string' ? simpleTypes[type] : undefined;
  const plain = simple ?? toContainer(schema, scope, indent);
  return schema.nullable === true ? union([plain, 'null']) : plain;
}

function toContainer(schema: JsonObject, scope: Scope, indent: string): string {
  if (schema.type === 'array' || 'items' in schema) return toList(schema, scope, indent);
  if (schema.type === 'object' || 'properties' in schema) return toMembers(schema, scope, indent);
  return 'unknown';
}

function toList({ items, prefixItems }: JsonObject, scope: Scope, indent: string): string {
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple) return `[${tuple.map((item) => toType(item, scope, indent)).join(', ')}]`;
  return `${grouped(toType(items ?? {}, scope, indent))}[]`;
}

/** Members that the schema does not name are allowed unless it says otherwise. */
function toMembers(schema: JsonObject, scope: Scope, indent: string): string {
  const { properties, required, additionalProperties } = schema;
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  if (entries.length === 0) {
    if (additionalProperties === false) return 'Record<string, never>';
    return isJsonObject(additionalProperties)
      ? `Record<string, ${toType(additionalProperties, scope, indent)}>`
      : anyObject;
  }
  const inner = `${indent}  `;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const members = entries.map(
    ([name, member]) =>
      `${comment(member, inner)}${inner}${memberName(name)}${isRequired(name) ? '' : '?'}: ${toType(member, scope, inner)};\n`,
  );
  const others =
    additionalProperties === true || isJsonObject(additionalProperties)
      ? [`${inner}[name: string]: unknown;\n`]
      : [];
  return `{\n${[...members, ...others].join('')}${indent}}`;
}

function toReferenced(reference: string, { root, references }: Scope, indent: string): string {
  if (!reference.startsWith('#') || references.includes(reference)) return 'unknown';
  const target = reference
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, part) =>
        isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined,
      root,
    );
  return toType(target, { root, references: [...references, reference] }, indent);
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';

const grouped = (type: string) =>
  / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;

function literal(value: unknown): string {
  const isSimple = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isSimple ? JSON.stringify(value) : 'unknown';
}

function comment(schema: unknown, indent: string): string {
  const description = isJsonObject(schema) ? schema.description : undefined;
  if (typeof description !== 'string' || description.trim() === '') return '';
  const text = description.replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
  return `${indent}/** ${text} */\n`;
}

const memberName = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

const pascalCase = (id: string) => {
  const text = id
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[A-Za-z]/.test(text) ? text : `Workflow${text}`;
};

function uniqueName(base: string, names: Set<string>): string {
  let name = base;
  for (let number = 2; names.has(name); number += 1) name = `${base}${number}`;
  names.add(name);
  return name;
}
