// Moments as they are typed: ISO 8601, or a span before now.
import { usageError } from '../core/errors.ts';

const unitMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `2h` (before now), `1d12h`, `2026-01-15` or `2026-01-15T12:00:00Z` → ISO time. */
export function readMoment(text: string, now: number, source: string): string {
  const parts = text.match(/\d+[smhdw]/g);
  if (parts && parts.join('') === text) {
    const span = parts.reduce(
      (sum, part) => sum + Number.parseInt(part, 10) * (unitMs[part.slice(-1)] ?? 0),
      0,
    );
    return new Date(now - span).toISOString();
  }
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw usageError(
    `${source}: \`${text}\` is neither a span such as 2h nor an ISO time such as 2026-01-15T12:00:00Z.`,
  );
}
