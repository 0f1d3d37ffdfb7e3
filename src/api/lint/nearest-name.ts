/** The known name that the text most likely means, or undefined where none is near. */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const name of known) {
    if (Math.abs(name.length - text.length) >= least) continue;
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance >= least) continue;
    best = name;
    least = distance;
  }
  return best;
}

/** How many letters must be added, removed or exchanged. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchange = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
