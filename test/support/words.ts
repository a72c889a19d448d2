// Command lines in tests, on one line.

/**
 * The words of a command line: words`topics list --name ${name} ${more}`. A value is one word, or part of one; a list is
 * several words.
 */
export function words(texts: TemplateStringsArray, ...values: (string | readonly string[])[]) {
  const found: string[] = [];
  let isOpen = false;
  const add = (word: string) => {
    if (isOpen) found.push(`${found.pop()}${word}`);
    else found.push(word);
    isOpen = true;
  };
  for (const [index, text] of texts.entries()) {
    const [first = '', ...rest] = text.split(/\s+/);
    if (first !== '') add(first);
    for (const word of rest) {
      isOpen = false;
      if (word !== '') add(word);
    }
    const value = values[index];
    if (typeof value === 'string') add(value);
    else if (value !== undefined) found.push(...value);
  }
  return found;
}
