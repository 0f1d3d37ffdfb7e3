import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Credentials, type KubeConnection, KubeconfigError } from './connection.ts';
import { isInCluster, loadInCluster } from './in-cluster.ts';
import {
  type ClusterEntry,
  type ContextEntry,
  type ExecEntry,
  type Kubeconfig,
  readKubeconfigs,
  type UserEntry,
} from './kubeconfig-file.ts';
import { proxyFor } from './proxy.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface KubeconfigOptions {
  /** This file and no other. */
  readonly path?: string | undefined;
  /** In place of the current context. */
  readonly context?: string | undefined;
  readonly env: Environment;
}

/**
 * Finds the cluster as kubectl would: the given file, the files in KUBECONFIG, `~/.kube/config`,
 * or the service account of the pod we run in. Throws a KubeconfigError that says what to do.
 */
export function loadKubeconfig(options: KubeconfigOptions): KubeConnection {
  const { env } = options;
  const paths = findFiles(options);
  if (paths.length === 0) {
    if (isInCluster(env)) return loadInCluster(env);
    throw new KubeconfigError(
      'no cluster to talk to: there is no kubeconfig at KUBECONFIG or ~/.kube/config, and this is no pod; pass a kubeconfig or set KUBECONFIG',
    );
  }
  return connect(readKubeconfigs(paths), options, paths.join(', '));
}

function findFiles(options: KubeconfigOptions): readonly string[] {
  const { path, env } = options;
  if (path !== undefined && path !== '') return [path];
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((entry) => entry !== '');
  if (listed.length > 0) {
    const existing = listed.filter((entry) => existsSync(entry));
    if (existing.length > 0) return existing;
    throw new KubeconfigError(`KUBECONFIG names ${listed.join(', ')}, and no such file exists`);
  }
  const home = join(env.HOME ?? homedir(), '.kube', 'config');
  return existsSync(home) ? [home] : [];
}

function connect(config: Kubeconfig, options: KubeconfigOptions, source: string): KubeConnection {
  const name = options.context ?? config['current-context'];
  if (name === undefined || name === '') {
    const known = [...config.contexts.keys()].join(', ') || 'none';
    throw new KubeconfigError(`${source} has no current context; name one of: ${known}`);
  }
  const context = find<ContextEntry>(config.contexts, { what: 'context', name, source });
  const cluster = find<ClusterEntry>(config.clusters, {
    what: 'cluster',
    name: context.cluster ?? '',
    source,
  });
  // A context may go without a user, for a server that asks for none.
  const user =
    context.user === undefined || context.user === ''
      ? {}
      : find<UserEntry>(config.users, { what: 'user', name: context.user, source });
  if (cluster.server === undefined || cluster.server === '') {
    throw new KubeconfigError(`cluster ${context.cluster} in ${source} has no server address`);
  }
  const { env } = options;
  return {
    name,
    server: cluster.server,
    namespace: context.namespace ?? 'default',
    certificateAuthority: material(cluster, 'certificate-authority'),
    tlsServerName: cluster['tls-server-name'],
    isTlsVerificationOff: cluster['insecure-skip-tls-verify'],
    proxyUrl: cluster['proxy-url'] ?? proxyFor(cluster.server, env),
    credentials: credentialsOf(user, cluster, env),
  };
}

function find<V>(
  entries: ReadonlyMap<string, V>,
  wanted: { readonly what: string; readonly name: string; readonly source: string },
): V {
  const { what, name, source } = wanted;
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const known = [...entries.keys()].join(', ') || 'none';
  throw new KubeconfigError(`there is no ${what} "${name}" in ${source}; there are: ${known}`);
}

function credentialsOf(user: UserEntry, cluster: ClusterEntry, env: Environment): Credentials {
  const plugin = user['auth-provider']?.name;
  if (plugin !== undefined) {
    throw new KubeconfigError(
      `the kubeconfig uses the auth-provider "${plugin}", which Kubernetes has removed; replace it with an exec plugin`,
    );
  }
  const { username, password, token, tokenFile, exec } = user;
  return {
    clientCertificate: material(user, 'client-certificate'),
    clientKey: material(user, 'client-key'),
    token,
    tokenFile,
    basic: username === undefined ? undefined : { username, password: password ?? '' },
    exec: exec === undefined || exec === null ? undefined : pluginOf(exec, cluster, env),
  };
}

function pluginOf(exec: ExecEntry, cluster: ClusterEntry, env: Environment): Credentials['exec'] {
  if (exec.command === undefined) throw new KubeconfigError('the exec plugin names no command');
  const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  return {
    apiVersion: exec.apiVersion ?? 'client.authentication.k8s.io/v1',
    command: exec.command,
    args: exec.args ?? [],
    env: { ...env, ...own },
    installHint: exec.installHint,
    clusterInfo: exec.provideClusterInfo === true ? clusterInfo(cluster) : undefined,
  };
}

function clusterInfo(cluster: ClusterEntry): object {
  const authority = material(cluster, 'certificate-authority');
  return {
    server: cluster.server,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
    'certificate-authority-data':
      authority === undefined ? undefined : Buffer.from(authority).toString('base64'),
    'proxy-url': cluster['proxy-url'],
  };
}

/** PEM text that stands in the entry itself or in a file it names; the former counts. */
function material(entry: ClusterEntry | UserEntry, field: string): string | undefined {
  const fields = entry as Readonly<Record<string, unknown>>;
  const data = fields[`${field}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const path = fields[field];
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new KubeconfigError(`reading the ${field} at ${path}: ${String(cause)}`, { cause });
  }
}
