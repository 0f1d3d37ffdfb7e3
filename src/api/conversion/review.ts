import { type ConversionAids, convertObject } from './convert.ts';
import { isPlain, listAt, objectAt, type Plain, textAt } from './plain.ts';

/** A question of the API server to a conversion webhook, understood. */
export interface ConversionQuestion {
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: readonly Plain[];
}

const apiVersion = 'apiextensions.k8s.io/v1';

/** Reads a ConversionReview; undefined for anything else. */
export function readReview(review: unknown): ConversionQuestion | undefined {
  if (textAt(review, 'kind') !== 'ConversionReview') return undefined;
  if (textAt(review, 'apiVersion') !== apiVersion) return undefined;
  const request = objectAt(review, 'request');
  const uid = textAt(request, 'uid');
  const desiredApiVersion = textAt(request, 'desiredAPIVersion');
  const objects = listAt(request, 'objects').filter(isPlain);
  return uid === '' || desiredApiVersion === '' ? undefined : { uid, desiredApiVersion, objects };
}

/** The answer: all objects in the wanted version and the same order, or why that cannot be. */
export function answerReview(question: ConversionQuestion, aids: ConversionAids): Plain {
  const { uid, desiredApiVersion, objects } = question;
  const conversions = objects.map((object) => convertObject(object, desiredApiVersion, aids));
  const failures = conversions.flatMap((one) => (one.kind === 'failed' ? [one.message] : []));
  if (failures.length > 0) return response({ uid, ...failure(failures.join('; ')) });
  const convertedObjects = conversions.map((one) => ('object' in one ? one.object : undefined));
  return response({ uid, result: { status: 'Success' }, convertedObjects });
}

function failure(message: string): Plain {
  return { result: { status: 'Failure', message }, convertedObjects: [] };
}

function response(content: Plain): Plain {
  return { apiVersion, kind: 'ConversionReview', response: content };
}
