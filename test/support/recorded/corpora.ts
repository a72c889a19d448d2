// Plays every corpus of a version, each from the same state.
import type { SandboxVersion } from '../../../src/service/versions.ts';
import { judge, type Result } from './agreement.ts';
import { corpora, readCorpus } from './corpus.ts';
import { play } from './play.ts';
import { startRecordedState } from './sandbox.ts';

export async function playCorpora(service: SandboxVersion): Promise<Result[]> {
  const results: Result[] = [];
  for (const name of corpora[service]) {
    const sandbox = await startRecordedState({ service });
    results.push(...judge(await play(sandbox, readCorpus(name))));
    await sandbox.close();
  }
  return results;
}
