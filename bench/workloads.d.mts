import type { KubeObject } from '../src/api/resource.ts';
import type { WorkloadTypes } from './workloads/types.d.mts';

export interface WorkloadWish {
  readonly family: string;
  readonly pods?: number | undefined;
  readonly nodes?: number | undefined;
  readonly seed?: number;
  readonly types?: WorkloadTypes;
  readonly budget?: string;
}

export interface ListOfObjects {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly KubeObject[];
}

export const families: Readonly<Record<string, unknown>>;
export function generate(wish: WorkloadWish): ListOfObjects;
export function render(scenario: ListOfObjects): string;
