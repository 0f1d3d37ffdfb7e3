import { execFile } from 'node:child_process';
import { type ExecPlugin, KubeconfigError } from './connection.ts';

/** What a credential plugin prints under `status`. */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

const knownVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const longestRunMs = 60_000;
const largestOutputBytes = 1 << 20;

/** Runs the plugin once and answers its credentials. Rejects with what the plugin had to say. */
export async function runPlugin(plugin: ExecPlugin): Promise<ExecCredential> {
  if (!knownVersions.includes(plugin.apiVersion)) {
    throw new KubeconfigError(
      `the exec plugin ${plugin.command} asks for ${plugin.apiVersion}; known are ${knownVersions.join(' and ')}`,
    );
  }
  const output = await run(plugin);
  const credential = parseOutput(plugin, output);
  if (credential.token === undefined && credential.clientCertificateData === undefined) {
    throw new KubeconfigError(
      `the exec plugin ${plugin.command} printed neither a token nor a certificate`,
    );
  }
  return credential;
}

function run(plugin: ExecPlugin): Promise<string> {
  const { command, args, apiVersion } = plugin;
  const spec = { interactive: false, cluster: plugin.clusterInfo };
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  const env = { ...plugin.env, KUBERNETES_EXEC_INFO: info };
  const options = { env, timeout: longestRunMs, maxBuffer: largestOutputBytes };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(failure(plugin, error, stderr));
    });
  });
}

function failure(plugin: ExecPlugin, cause: Error, stderr: string): KubeconfigError {
  const { command, installHint } = plugin;
  if ('code' in cause && cause.code === 'ENOENT') {
    const hint = installHint ?? `install ${command} or put it on the PATH`;
    return new KubeconfigError(`the exec plugin ${command} is not installed: ${hint}`, { cause });
  }
  const said = stderr.trim().slice(0, 500) || cause.message;
  return new KubeconfigError(`the exec plugin ${command} failed: ${said}`, { cause });
}

function parseOutput(plugin: ExecPlugin, output: string): ExecCredential {
  try {
    const printed = JSON.parse(output) as { readonly status?: ExecCredential };
    return printed.status ?? {};
  } catch (cause) {
    throw new KubeconfigError(`the exec plugin ${plugin.command} printed no JSON`, { cause });
  }
}
