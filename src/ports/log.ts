export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log lines. Messages are constant text; what varies goes into fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with fields added to every line. */
  with(fields: LogFields): Log;
}
