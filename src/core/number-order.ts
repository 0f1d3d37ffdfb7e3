/** Keys to sort by have room for so many places. */
const places = 2 ** 20;
/** So few keys are sorted here sooner than the engine is asked to. */
const fewKeys = 40;

/**
 * Writes the places of the values, none of them below zero, the least first. What differs by less
 * than one part in 2^32 of the largest counts as equal, and of equals the earlier comes first.
 *
 * Numbers sort several times faster than anything that has to be compared by a function, so that
 * value and place become one number each.
 */
export function orderInto(order: Float64Array, values: Float64Array): void {
  let largest = 0;
  for (let place = 0; place < order.length; place++)
    if ((values[place] ?? 0) > largest) largest = values[place] ?? 0;
  const scale = largest > 0 ? 2 ** 32 / largest : 0;
  for (let place = 0; place < order.length; place++)
    order[place] = Math.floor((values[place] ?? 0) * scale) * places + place;
  if (order.length > fewKeys) order.sort();
  else insertInOrder(order);
  for (let index = 0; index < order.length; index++) {
    const key = order[index] ?? 0;
    order[index] = key - Math.floor(key / places) * places;
  }
}

function insertInOrder(keys: Float64Array): void {
  for (let place = 1; place < keys.length; place++) {
    const key = keys[place] ?? 0;
    let at = place;
    for (; at > 0 && (keys[at - 1] ?? 0) > key; at--) keys[at] = keys[at - 1] ?? 0;
    keys[at] = key;
  }
}
