// Order among batches: one waits for every batch in flight that shares an identity with it.

export function createOrder() {
  const last = new Map<string, Promise<void>>();
  return {
    /** Runs `send` behind all earlier batches that carry an id of these rows. */
    async inOrder(rows: readonly { id: string }[], send: () => Promise<void>): Promise<void> {
      const waits = new Set<Promise<void>>();
      for (const { id } of rows) {
        const earlier = last.get(id);
        if (earlier) waits.add(earlier);
      }
      const mine = waits.size === 0 ? send() : Promise.all(waits).then(send);
      const settled = mine.catch(() => undefined);
      for (const { id } of rows) last.set(id, settled);
      try {
        await mine;
      } finally {
        for (const { id } of rows) if (last.get(id) === settled) last.delete(id);
      }
    },
  };
}
