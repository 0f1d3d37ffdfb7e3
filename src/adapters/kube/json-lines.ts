/** Whole lines out of pieces that break anywhere. Empty lines are left out. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    // Searching the new piece alone keeps a long line that comes in many pieces linear.
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      const line = rest + piece.slice(start, end);
      rest = '';
      start = end + 1;
      if (line.trim() !== '') yield line;
    }
    rest += piece.slice(start);
  }
  if (rest.trim() !== '') yield rest;
}
