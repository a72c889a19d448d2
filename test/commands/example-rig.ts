// A rig with the files and profiles that the examples of commands use.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openRig, type Rig, writeInput } from '../support/rig.ts';

export async function openExampleRig(): Promise<Rig> {
  const rig = await openRig();
  writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
  writeWorkflowFile(rig);
  await rig.svc(['environments', 'list', '--save-profiles']);
  return rig;
}

/** Writes the folder `workflows` with the file of one workflow. */
export function writeWorkflowFile(rig: Rig): void {
  mkdirSync(path.join(rig.folder, 'workflows'));
  writeInput(rig, 'workflows/a.yaml', '# svc workflow, format 1\nworkflowId: a\n');
}
