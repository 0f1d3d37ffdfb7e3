/** The longest word that is compared: nobody misspells a longer one. */
const longest = 64;

/**
 * The word of the list that is spelled most like this one, if at most about a third of its letters
 * differ. Of words that are equally near, the first of the alphabet.
 */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  if (word.length > longest) return undefined;
  const wanted = word.toLowerCase();
  const limit = Math.ceil(word.length / 3);
  const near = words
    .map((one) => ({ word: one, distance: distanceOf(wanted, one.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  return near[0]?.word;
}

/** How many letters must be added, taken away or changed to make one word of the other. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
