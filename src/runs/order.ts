// Order among batches: one waits for every batch in flight that shares an identity with it.

export function createOrder() {
  const last = new Map<string, Promise<void>>();
  return {
    /** Runs `send` behind all earlier batches that carry one of the ids. */
    async inOrder(ids: readonly string[], send: () => Promise<void>): Promise<void> {
      const waits = new Set<Promise<void>>();
      for (const id of ids) {
        const earlier = last.get(id);
        if (earlier) waits.add(earlier);
      }
      const mine = (
        waits.size === 0 ? send() : Promise.allSettled(waits).then(send)
      ) as Promise<void>;
      const settled = mine.catch(() => undefined);
      for (const id of ids) last.set(id, settled);
      try {
        await mine;
      } finally {
        for (const id of ids) if (last.get(id) === settled) last.delete(id);
      }
    },
  };
}
