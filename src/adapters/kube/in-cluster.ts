import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeConnection, KubeconfigError } from './connection.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether Kubernetes has told this process where its API server is. */
export function isInCluster(env: Environment): boolean {
  return (env.KUBERNETES_SERVICE_HOST ?? '') !== '';
}

/** The API server of the cluster we run in, as the pod's service account. */
export function loadInCluster(
  env: Environment,
  folder: string = serviceAccountFolder,
): KubeConnection {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const port = env.KUBERNETES_SERVICE_PORT ?? '443';
  const tokenFile = join(folder, 'token');
  if (!existsSync(tokenFile)) {
    throw new KubeconfigError(
      `this pod has no service account token at ${tokenFile}; set automountServiceAccountToken: true and name a serviceAccountName`,
    );
  }
  const namespaceFile = join(folder, 'namespace');
  return {
    name: 'in-cluster',
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : 'default',
    certificateAuthority: readFileSync(join(folder, 'ca.crt'), 'utf8'),
    credentials: { tokenFile },
  };
}
