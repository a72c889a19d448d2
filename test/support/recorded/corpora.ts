// Plays every corpus, each from the same state.
import { judge, type Result } from './agreement.ts';
import { corpora, readCorpus } from './corpus.ts';
import { play } from './play.ts';
import { startRecordedState } from './sandbox.ts';

export async function playCorpora(): Promise<Result[]> {
  const results: Result[] = [];
  for (const name of corpora) {
    const sandbox = await startRecordedState();
    results.push(...judge(await play(sandbox, readCorpus(name))));
    await sandbox.close();
  }
  return results;
}
