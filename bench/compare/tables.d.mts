/** What an engine reports of one scenario, as far as it is looked at here. */
export interface Report {
  readonly new_nodes?: readonly { readonly n_instance_types?: number }[];
  readonly [field: string]: unknown;
}

export function typesPerOrder(
  report: Report,
): { readonly median: number; readonly min: number } | undefined;
export function ratioRow(
  label: string,
  anchor: Report,
  other: Report,
): Readonly<Record<string, string | number>>;
export function table(rows: readonly Readonly<Record<string, string | number>>[]): string;
