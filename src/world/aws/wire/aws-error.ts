/** A refusal that the caller receives in the wire format of the service it asked. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  /** `InvalidSubnetID.NotFound`, `NoSuchEntity`, … exactly as AWS spells it. */
  readonly code: string;
  readonly status: number;
  /** Further members of a JSON error body; `queryCode` is the code under the query protocol. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    options: {
      readonly status?: number;
      readonly details?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.status = options.status ?? 400;
    this.details = options.details ?? {};
  }
}

/** How EC2 says that a dry run would have gone through. */
export function dryRunPassed(): AwsError {
  return new AwsError('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', {
    status: 412,
  });
}

export function invalidParameter(message: string): AwsError {
  return new AwsError('InvalidParameterValue', message);
}

export function missingParameter(name: string): AwsError {
  return new AwsError('MissingParameter', `The request must contain the parameter ${name}`);
}
