// Recognizes keys that were seen before, in constant memory. The recipients of an event follow each other closely in
// the listing, so the most recent keys are enough.

const limit = 20_000;

/** The returned function returns true for a key that is not among the most recent ones. */
export function createRecentKeys(): (key: string) => boolean {
  const recent = new Set<string>();
  return (key) => {
    const isNew = !recent.delete(key);
    recent.add(key);
    if (recent.size > limit) {
      const [oldest] = recent;
      if (oldest !== undefined) recent.delete(oldest);
    }
    return isNew;
  };
}
