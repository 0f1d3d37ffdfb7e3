// A small seeded generator: the same seed gives the same cluster on every machine.

export function createRandom(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;

  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  const integer = (from, to) => from + Math.floor(next() * (to - from + 1));
  const pick = (list) => list[Math.floor(next() * list.length)];
  const chance = (probability) => next() < probability;

  function normal(mean = 0, deviation = 1) {
    const u = 1 - next();
    const v = next();
    return mean + deviation * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
  }

  const logNormal = (median, sigma) => median * Math.exp(normal(0, sigma));

  function shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = integer(0, i);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  const hex = (digits) =>
    Array.from({ length: digits }, () => integer(0, 15).toString(16)).join('');
  const uid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;

  return { next, integer, pick, chance, normal, logNormal, shuffle, hex, uid };
}
