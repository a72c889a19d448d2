// Independent processes side by side, as many as the machine carries.

/** The answers in the order of the items. */
export async function several<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  atOnce = 3,
): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      answers[at] = await act(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}
