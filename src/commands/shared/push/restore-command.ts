// The command that undoes a push, or the write at which it stopped.
import path from 'node:path';
import type { Context } from '../../../app/context.ts';
import { shellWord } from '../../../core/text.ts';
import { nameOfKind } from '../../../environment-files/resource.ts';
import { layoutsFolder } from '../../../workflow-files/format.ts';
import type { PushOutcome } from './push-types.ts';

/** The command that undoes the write of the resource at which the push stopped. If it did not stop, all writes. */
export function restoreCommand(
  { push, plan, stop, backup, results }: PushOutcome,
  followUps: Context['followUps'],
) {
  const followUp = (line: string) => followUps.line(line, push.target.profile);
  const isEnvironment = push.command === 'environments push';
  const restoreAll = (folder: string) =>
    followUp(
      `svc ${isEnvironment ? 'environments' : 'workflows'} push ${shellWord(folder)}${isCreatedAgain ? ' --allow-missing-credentials' : ''}`,
    );
  // A backup has no credentials.
  const isCreatedAgain = plan.some(
    ({ kind, action }) => kind === 'integration' && action === 'delete',
  );
  if (stop?.item && stop.written !== 'no') {
    const { kind, id, current } = stop.item;
    const condition = stop.written === 'maybe' ? ', if it was written' : '';
    if (current && backup !== undefined && isEnvironment)
      return { label: `To restore the previous versions${condition}`, line: restoreAll(backup) };
    if (current) {
      const file = path.join(backup ?? '', kind === 'layout' ? layoutsFolder : '', `${id}.yaml`);
      const label = `To restore the previous version of ${id}${condition}`;
      return { label, line: followUp(`svc workflows push ${shellWord(file)}`) };
    }
    const label = `To delete the new ${kind} ${id}${condition}`;
    return { label, line: followUp(`svc ${nameOfKind(kind)} delete ${shellWord(id)}`) };
  }
  const isChanged = results.some(({ result: state }) => state === 'written');
  if (backup === undefined || !isChanged) return undefined;
  return { label: 'To restore the previous versions', line: restoreAll(backup) };
}
