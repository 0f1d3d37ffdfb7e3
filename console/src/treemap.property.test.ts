import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treemap } from './treemap.ts';

const area = { x: 0, y: 0, width: 160, height: 90 };
const weights = fc.array(fc.double({ min: 0.001, max: 0.3, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});

test('every tile lies inside the area and is as large as its weight says', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const total = Math.max(
        1,
        list.reduce((sum, weight) => sum + weight, 0),
      );
      treemap(list, area).forEach((tile, index) => {
        expect(tile.x + tile.width).toBeLessThanOrEqual(area.width + 1e-6);
        expect(tile.y + tile.height).toBeLessThanOrEqual(area.height + 1e-6);
        const expected = ((list[index] ?? 0) / total) * area.width * area.height;
        expect(tile.width * tile.height).toBeCloseTo(expected, 4);
      });
    }),
  );
});

test('no two tiles overlap', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const tiles = treemap(list, area);
      for (const [index, a] of tiles.entries()) {
        for (const b of tiles.slice(index + 1)) {
          const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          expect(Math.min(width, height)).toBeLessThan(1e-6);
        }
      }
    }),
  );
});
