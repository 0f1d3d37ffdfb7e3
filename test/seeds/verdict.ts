import { type HttpHandler, readBody } from '../../src/ports/http.ts';

/** An object as a manifest holds it. */
export interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

const collections: Readonly<Record<string, string>> = {
  NodePool: 'nodepools',
  NodeClaim: 'nodeclaims',
  EC2NodeClass: 'ec2nodeclasses',
  Node: 'nodes',
  Pod: 'namespaces/default/pods',
  PodDisruptionBudget: 'namespaces/default/poddisruptionbudgets',
  ClusterConfig: 'clusterconfigs',
};

/**
 * What an API server says of the object when kubectl sends it as it does by default, with unknown
 * fields refused: `accepted`, or its message. Nothing is kept.
 */
export async function verdictOf(handle: HttpHandler, object: Manifest): Promise<string> {
  const { apiVersion = '', kind = '' } = object;
  const root = apiVersion.includes('/') ? 'apis' : 'api';
  const collection = collections[kind] ?? kind.toLowerCase();
  const response = await handle({
    method: 'POST',
    path: `/${root}/${apiVersion}/${collection}?dryRun=All&fieldValidation=Strict`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(object),
  });
  const body = await readBody(response);
  if (response.status < 300) return 'accepted';
  // A kind that is not served is answered with the page of a web server, not with a Status.
  if (response.status === 404) return 'not served';
  return (JSON.parse(body) as { message: string }).message;
}

/** The object with only its version changed, which is what people try first. */
export function raised(object: Manifest): Manifest {
  const apiVersion = object.apiVersion?.replace(/(karpenter\S*)\/v1beta1$/, '$1/v1');
  return apiVersion === undefined ? object : { ...object, apiVersion };
}
