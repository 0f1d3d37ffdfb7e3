import type { RawInstanceType } from './cluster/instance-types.ts';

export function fromCatalog(
  catalog: object,
  options?: { readonly region?: string; readonly zones?: number },
): readonly RawInstanceType[];
export function generic(): readonly RawInstanceType[];
