/**
 * The function, computed once per object. Informers hand out the same object until it changes,
 * so that identity is all that has to be compared; what nobody holds any more is forgotten.
 */
export function decodeOnce<From extends object, To>(
  decode: (from: From) => To,
): (from: From) => To {
  const known = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    const found = known.get(from);
    if (found !== undefined) return found.value;
    const value = decode(from);
    known.set(from, { value });
    return value;
  };
}
