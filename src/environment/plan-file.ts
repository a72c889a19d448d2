// A plan in a file, so that it can be reviewed and then applied as it was reviewed. It contains no secrets: the hashes
// cover the names of references to variables, and of an environment only the credentials that are not secret.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errorMessage, systemCode, usageError } from '../core/errors.ts';
import { isJsonObject, stringifyExact } from '../core/lossless-json.ts';
import type { PlanItem } from './plan.ts';
import { type Resource, resourceKinds } from './resource.ts';

const hash = z.string().nullable();

const planFile = z.object({
  format: z.literal(1),
  /** `environments push`, without `svc`. */
  command: z.string(),
  /** The address of the service. */
  origin: z.string(),
  environment: z.object({ id: z.string(), name: z.string() }),
  /** The folder or files, and the options, as they were given. */
  options: z.record(z.string(), z.unknown()),
  resources: z.array(
    z.object({
      kind: z.enum(resourceKinds),
      id: z.string(),
      action: z.enum(['create', 'update', 'unchanged', 'delete']),
      changes: z.array(
        z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() }),
      ),
      /** The hash of the resource in the files; null for a deletion. */
      fileHash: hash,
      /** The hash of the resource in the environment; null for a creation. */
      targetHash: hash,
    }),
  ),
});

export type PlanFile = z.output<typeof planFile>;
export type ReviewedResource = PlanFile['resources'][number];

/** The same for equal resources, whatever the order of their members; null for none. */
function hashResource(resource: Resource | undefined): string | null {
  if (resource === undefined) return null;
  const { value } = resource;
  const credentials = resource.kind === 'integration' ? resource.credentials : undefined;
  return createHash('sha256')
    .update(stringifyExact(sorted(credentials ? { ...value, credentials } : value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

export const toReviewed = ({
  kind,
  id,
  action,
  changes,
  wanted,
  current,
}: PlanItem): ReviewedResource => ({
  kind,
  id,
  action,
  changes,
  fileHash: hashResource(wanted),
  targetHash: hashResource(current?.resource),
});

/** Whether a file that starts with this text is a plan. */
export const isPlanText = (start: string): boolean =>
  /^\{\s*"format":\s*\d+,\s*"command":\s*"(?:environments|workflows) (?:push|promote)",/.test(
    start,
  );

export const planText = (plan: PlanFile): string => `${stringifyLines(plan)}\n`;

/** One line for each resource, so that a diff of plans is readable. */
function stringifyLines({ resources, ...head }: PlanFile): string {
  const lines = resources.map((resource) => `    ${stringifyExact(resource)}`);
  const members = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${stringifyExact(value)}`,
  );
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n${[...members, `  "resources": ${list}`].join(',\n')}\n}`;
}

/** Throws a usage error for anything but a plan of this command. */
export function readPlanFile(file: string, cwd: string, command: string): PlanFile {
  const plan = parsePlan(file, cwd);
  if (plan.command === command) return plan;
  throw usageError(`${file} is a plan of \`svc ${plan.command}\`, not of \`svc ${command}\`.`, {
    next: [`svc ${plan.command} --plan ${file}`],
  });
}

function parsePlan(file: string, cwd: string): PlanFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path.resolve(cwd, file), 'utf8'));
  } catch (error) {
    throw usageError(
      systemCode(error) === 'ENOENT'
        ? `The plan ${file} does not exist: create it with --save-plan.`
        : `The plan ${file} cannot be read: ${errorMessage(error)}`,
    );
  }
  const parsed = planFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const format = (value as { format?: unknown } | null)?.format;
  throw usageError(
    typeof format === 'number' && format !== 1
      ? `${file} has format ${format}, which this version of svc does not support.`
      : `${file} is not a plan: create one with --save-plan.`,
  );
}
