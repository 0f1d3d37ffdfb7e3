/** All that is needed to talk to one API server as one user. Certificates and keys are PEM text. */
export interface KubeConnection {
  /** `https://host:port`, possibly with a path. */
  readonly server: string;
  readonly namespace: string;
  readonly certificateAuthority?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly isTlsVerificationOff?: boolean | undefined;
  /** An HTTP proxy to tunnel through. */
  readonly proxyUrl?: string | undefined;
  readonly credentials: Credentials;
  /** How people call it: the context, or `in-cluster`. */
  readonly name: string;
}

/** Several may be given at once; a token goes into the header, a certificate into the handshake. */
export interface Credentials {
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
  /** Read again as the file changes: service account tokens are replaced every hour. */
  readonly tokenFile?: string | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  readonly exec?: ExecPlugin | undefined;
}

/** A program that prints credentials, such as `aws eks get-token`. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shown when the program is missing. */
  readonly installHint?: string | undefined;
  /** What the program is told about the cluster, if it asks for it. */
  readonly clusterInfo?: object | undefined;
}

/** Why no connection can be made, in words that say what to do. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
