import highs from 'highs';

/** The package's types are those of its CommonJS half, while its ES module is what runs. */
export const loadSolver = highs as unknown as typeof highs.default;
