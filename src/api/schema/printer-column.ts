/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'date' | 'integer';
  readonly jsonPath: string;
  readonly description?: string;
  /** 1 shows the column only with `-o wide`. */
  readonly priority?: 1;
}

export const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

export const readyColumn: PrinterColumn = conditionColumn('Ready', 'Ready');

export function conditionColumn(name: string, condition: string): PrinterColumn {
  return fieldColumn(name, `.status.conditions[?(@.type=="${condition}")].status`);
}

export function labelColumn(name: string, key: string): PrinterColumn {
  return fieldColumn(name, `.metadata.labels.${key.replaceAll('.', '\\.')}`);
}

export function fieldColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'string', jsonPath };
}

export function countColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'integer', jsonPath };
}

/** The column, shown only with `-o wide`. */
export function wide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: 1 };
}

/** The column with a sentence about it. */
export function explained(description: string, column: PrinterColumn): PrinterColumn {
  return { ...column, description };
}
