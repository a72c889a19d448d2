// An example of a payload, made from its JSON Schema: defaults, first choices, and values that fit name and type.

import { asObject, type JsonObject } from '../../core/objects.ts';

export function payloadExample(schema: JsonObject | null): Record<string, unknown> | null {
  if (schema === null) return null;
  const example = makeExample('', schema, 0);
  return asObject(example);
}

const maxDepth = 10;

function makeExample(name: string, schema: unknown, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth > maxDepth) return {};
  const { default: standard, enum: choices, examples, properties, items } = schema as JsonObject;
  for (const list of [examples, choices])
    if (Array.isArray(list) && list.length > 0) return list[0];
  if (standard !== undefined) return standard;
  const { type } = schema as JsonObject;
  const kind = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  if (kind === 'string') return textFor(name.toLowerCase(), schema as JsonObject);
  if (kind === 'number' || kind === 'integer')
    return numberFor(name.toLowerCase(), schema as JsonObject, kind);
  if (kind === 'boolean') return !/disabled|deleted|archived|hidden/i.test(name);
  if (kind === 'array') return items === undefined ? [] : [makeExample(name, items, depth + 1)];
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([member, schema]) => [
      member,
      makeExample(member, schema, depth + 1),
    ]),
  );
}

function numberFor(name: string, { minimum, maximum }: JsonObject, kind: string): number {
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return Math.floor((minimum + maximum) / 2);
  if (typeof minimum === 'number') return Math.max(minimum, 42);
  if (typeof maximum === 'number') return Math.min(maximum, 42);
  const [, number = 42, fraction = 0.5] = numbers.find(([pattern]) => pattern.test(name)) ?? [];
  return kind === 'integer' ? number : number + fraction;
}

/** A whole number, and what a number that need not be whole has besides. */
const numbers: readonly [pattern: RegExp, number: number, fraction: number][] = [
  [/age|year/, 25, 0],
  [/count|quantity|qty|num/, 5, 0],
  [/price|cost|amount|value|fee|salary/, 99, 0.99],
  [/percent|rate|ratio/, 15, 0],
  [/weight|height|length|width|size/, 100, 0.5],
];

const texts: readonly [pattern: RegExp, text: string][] = [
  [/mail/, 'user@example.com'],
  [/url|uri|link|href|web|site|domain/, 'https://example.com'],
  [/first_?name|given_?name/, 'John'],
  [/last_?name|surname|family_?name/, 'Doe'],
  [/name/, 'John Doe'],
  [/phone|mobile/, '+1-555-123-4567'],
  [/company|organization/, 'Example Corp'],
  [/address|street/, '123 Main Street'],
  [/message/, 'This is an example message.'],
  [/subject|title/, 'Example Subject'],
  [/description|content/, 'This is an example description with some sample content.'],
];

function textFor(name: string, { format }: JsonObject): string {
  if (format === 'email') return 'user@example.com';
  if (format === 'uri' || format === 'url') return 'https://example.com';
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'example text';
}
