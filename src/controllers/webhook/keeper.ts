import type { WebhookAddress } from '../../api/v1beta1/definitions.ts';
import type { Clock } from '../../ports/clock.ts';
import { isKubeError, type KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import { runSingleton } from '../../runtime/singleton.ts';
import { certificateIn, type SecretObject, secretData, secrets } from './certificate-secret.ts';
import { injectTrust } from './injection.ts';
import { renewed, type ServingCertificate } from './serving-certificate.ts';

export interface WebhookSettings {
  /** How the API server reaches us. */
  readonly address: WebhookAddress;
  /** The Secret that replicas share the certificate through. */
  readonly secret: { readonly name: string; readonly namespace: string };
}

export interface KeeperPorts {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Keeps the webhook's certificate good and known to the API server. Runs in every replica. */
export interface CertificateKeeper {
  current(): ServingCertificate | undefined;
  /** Calls back with every certificate that is to be served from now on. */
  onChange(listener: (certificate: ServingCertificate) => void): void;
  readonly done: Promise<void>;
}

const lookAgainMs = 30_000;

/**
 * Every half a minute: reads the Secret, makes or renews what it holds, and writes whom to trust
 * into the definitions that convert. Two replicas that renew at once are told apart by the
 * Secret's version: the second takes what the first has made.
 */
export function keepCertificate(
  ports: KeeperPorts,
  settings: WebhookSettings,
  signal: AbortSignal,
): CertificateKeeper {
  let current: ServingCertificate | undefined;
  const listeners: ((certificate: ServingCertificate) => void)[] = [];
  const reconcile = async (): Promise<Requeue> => {
    const certificate = await sharedCertificate(ports, settings);
    if (certificate === undefined) return after(1_000);
    if (certificate.certificatePem !== current?.certificatePem) {
      current = certificate;
      for (const listener of listeners) listener(certificate);
    }
    await injectTrust(ports, settings.address, certificate.caPem);
    return after(lookAgainMs);
  };
  const { clock, log, metrics } = ports;
  const loop = runSingleton(
    { name: 'webhook.certificate', clock, log, metrics, reconcile },
    signal,
  );
  return {
    current: () => current,
    onChange: (listener) => {
      listeners.push(listener);
    },
    done: loop.done,
  };
}

/** The certificate in the Secret, good for a while yet; undefined when another was quicker. */
async function sharedCertificate(
  { kube, clock, log }: KeeperPorts,
  settings: WebhookSettings,
): Promise<ServingCertificate | undefined> {
  const secret = await kube.get(secrets, settings.secret);
  const present = certificateIn(secret);
  const names = namesOf(settings.address);
  const wanted = await renewed(present, { nowMs: clock.nowMs(), names });
  if (wanted === present) return present;
  try {
    await write(kube, settings, { secret, data: secretData(wanted) });
  } catch (error) {
    if (isKubeError(error, 'conflict', 'already-exists')) return undefined;
    throw error;
  }
  log.info('made a certificate for the conversion webhook', { names });
  return wanted;
}

async function write(
  kube: KubeClient,
  settings: WebhookSettings,
  { secret, data }: { readonly secret: SecretObject | undefined; readonly data: SecretData },
): Promise<void> {
  if (secret === undefined) {
    const metadata = { ...settings.secret, labels: { 'app.kubernetes.io/name': 'karpenter' } };
    await kube.create(secrets, { type: 'kubernetes.io/tls', metadata, data });
    return;
  }
  await kube.update(secrets, { ...secret, data: { ...secret.data, ...data } });
}

type SecretData = Readonly<Record<string, string>>;

/** What the API server calls us when it checks the certificate. */
function namesOf(address: WebhookAddress): readonly string[] {
  if (address.kind === 'url') return [new URL(address.url).hostname.replace(/[[\]]/g, '')];
  const { name, namespace } = address;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}`, name];
}
