// Makes the types of payloads from files or an environment, and prints, writes or compares them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { defaultFolder, resolveFiles } from '../../environment/named-files.ts';
import type { NormalWorkflow } from '../../environment/normal-form.ts';
import { isDeclarationText, toDeclarations } from '../../environment/payload-types.ts';
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
  const workflows = readFolder(named.folder, named.shown).files.flatMap(({ resource }) =>
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
      `${out} differs. To write it: svc workflows types${source} --out ${shellWord(out)}`,
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
