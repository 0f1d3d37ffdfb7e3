/** What `readTypes` makes of an instance-type file; only the generator looks inside. */
export type WorkloadTypes = readonly { readonly name: string }[];

export function readTypes(file: string): WorkloadTypes;
export function typesFrom(raw: readonly object[]): WorkloadTypes;
