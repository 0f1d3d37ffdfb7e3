type Part = string | number | boolean | null | readonly [] | readonly [number | string];
type Line = readonly [string, ...Part[]];

/** Makes values again of what `writingGraph` wrote, piece by piece as it comes. */
export class GraphReader {
  readonly #values: unknown[] = [];
  readonly #keys: (readonly string[])[] = [];
  #rest = '';
  #end: { readonly value: unknown } | undefined;

  /** The next piece of the text, wherever it was cut. Throws where it cannot be read. */
  take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(JSON.parse(line) as Line);
  }

  /** The value that was written. Throws unless all of the text has been taken. */
  value(): unknown {
    if (this.#end === undefined) throw new Error('reading a graph of values: its end is missing');
    return this.#end.value;
  }

  #read([kind, ...parts]: Line): void {
    if (kind === 'keys') this.#keys.push(parts as readonly string[]);
    else if (kind === 'end') this.#end = { value: this.#part(parts[0] ?? null) };
    else this.#values.push(this.#made(kind, parts));
  }

  #made(kind: string, parts: readonly Part[]): unknown {
    const read = parts.map((part) => this.#part(part));
    switch (kind) {
      case 'object':
        return this.#object(this.#keys[Number(read[0])], read.slice(1));
      case 'list':
        return read;
      case 'map':
        return new Map(pairs(read));
      case 'set':
        return new Set(read);
      default:
        throw new Error(`reading a graph of values: no line may begin with ${kind}`);
    }
  }

  /** Entries make fields of any name, `__proto__` too, where an assignment would do more. */
  #object(keys: readonly string[] | undefined, values: readonly unknown[]): object {
    if (keys === undefined) throw new Error('reading a graph of values: an object has no keys');
    return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  }

  #part(part: Part): unknown {
    if (typeof part !== 'object' || part === null) return part;
    const [inner] = part as readonly (number | string)[];
    if (typeof inner === 'string') return Number(inner);
    if (inner === undefined) return undefined;
    if (inner >= this.#values.length)
      throw new Error(`reading a graph of values: line ${inner} has not come yet`);
    return this.#values[inner];
  }
}

function pairs(list: readonly unknown[]): [unknown, unknown][] {
  const found: [unknown, unknown][] = [];
  for (let at = 0; at < list.length; at += 2) found.push([list[at], list[at + 1]]);
  return found;
}
