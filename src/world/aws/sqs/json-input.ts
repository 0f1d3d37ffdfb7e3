import { AwsError } from '../wire/aws-error.ts';

/** Members of a JSON request, read with the checks that SQS makes. */
export type JsonInput = Readonly<Record<string, unknown>>;

export function textOf(input: JsonInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
}

export function requiredTextOf(input: JsonInput, name: string): string {
  const value = textOf(input, name);
  if (value === undefined) {
    throw new AwsError(
      'com.amazonaws.sqs#MissingParameter',
      `The request must contain the parameter ${name}.`,
      { details: { queryCode: 'MissingParameter' } },
    );
  }
  return value;
}

/** A whole number in the range, or undefined when it is absent. */
export function integerOf(
  input: JsonInput,
  name: string,
  range: { readonly low: number; readonly high: number },
): number | undefined {
  const value = input[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < range.low || number > range.high) {
    throw invalidValue(`Value ${String(value)} for parameter ${name} is invalid.`);
  }
  return number;
}

export function textsOf(input: JsonInput, name: string): readonly string[] {
  const value = input[name];
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}

export function objectsOf(input: JsonInput, name: string): readonly JsonInput[] {
  const value = input[name];
  if (!Array.isArray(value)) return [];
  return value.filter((member) => typeof member === 'object' && member !== null);
}

export function objectOf(input: JsonInput, name: string): JsonInput {
  const value = input[name];
  return typeof value === 'object' && value !== null ? (value as JsonInput) : {};
}

export function invalidValue(message: string): AwsError {
  return new AwsError('com.amazonaws.sqs#InvalidParameterValue', message, {
    details: { queryCode: 'InvalidParameterValue' },
  });
}
