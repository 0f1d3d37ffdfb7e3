import { builtInShape } from '../../../api/shape/built-in.ts';
import type { Shape } from '../../../api/shape/shape.ts';
import type { Kind } from '../kinds.ts';
import { shapeOfSchema } from './schema-shape.ts';

const custom = new WeakMap<Kind, Shape>();

/** The shape of a kind's objects, without `apiVersion` and `kind`. */
export function shapeOf(kind: Kind): Shape {
  if (!kind.isCustom) return builtInShape(kind.group === 'events.k8s.io' ? 'NewEvent' : kind.kind);
  const known = custom.get(kind) ?? shapeOfSchema(kind.schema, builtInShape('ObjectMeta'));
  custom.set(kind, known);
  return known;
}
