// Fails once, before tests of the built program, if dist/ is missing or older than the source.
import { existsSync, readdirSync, statSync } from 'node:fs';

const time = (file: string) => statSync(file).mtimeMs;

export default function requireBuild() {
  const built = existsSync('dist/svc.cjs') ? time('dist/svc.cjs') : 0;
  const newer = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .find((file) => time(file) > built);
  if (newer !== undefined) {
    const problem = built === 0 ? 'is missing' : `is older than ${newer}`;
    const error = new Error(`dist/ ${problem}. Run \`npm run build\`, then the tests again.`);
    // Vitest cannot map the stack of a global setup to source lines: it prints an error of its own instead.
    error.stack = '';
    throw error;
  }
}
