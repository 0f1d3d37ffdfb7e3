import type { Option } from 'commander';
import type { WebhookAddress } from '../api/v1beta1/definitions.ts';
import { flagOrEnv, portNumber } from './arguments.ts';
import type { WebhookOptions } from './compose/webhook.ts';

/** Where the webhook for old API versions listens and how the API server finds it. */
export interface WebhookFlags {
  readonly webhookPort: number;
  readonly webhookUrl?: string;
  readonly webhookService: string;
  readonly webhookServicePort: number;
  readonly webhookSecret: string;
  readonly host: string;
}

export function webhookOptions(): readonly Option[] {
  return [
    flagOrEnv(
      '--webhook-port <port>',
      'converts v1beta1 objects for the API server; 0 for none',
      'WEBHOOK_PORT',
    )
      .argParser(portNumber)
      .default(0),
    flagOrEnv(
      '--webhook-url <url>',
      'how the API server reaches the webhook outside the cluster; by its Service by default',
      'WEBHOOK_URL',
    ),
    flagOrEnv(
      '--webhook-service <name>',
      'the Service in front of the webhook',
      'KARPENTER_SERVICE',
    ).default('karpenter'),
    flagOrEnv('--webhook-service-port <port>', 'its port', 'WEBHOOK_SERVICE_PORT')
      .argParser(portNumber)
      .default(8443),
    flagOrEnv(
      '--webhook-secret <name>',
      'the Secret in which replicas share the certificate',
      'WEBHOOK_SECRET',
    ).default('karpenter-webhook-cert'),
  ];
}

/** What the flags mean; undefined when no webhook is wanted. */
export function webhookSettings(
  flags: WebhookFlags,
  namespace: string,
): WebhookOptions | undefined {
  if (flags.webhookPort === 0) return undefined;
  return {
    host: flags.host,
    port: flags.webhookPort,
    address: addressOf(flags, namespace),
    secret: { name: flags.webhookSecret, namespace },
  };
}

function addressOf(flags: WebhookFlags, namespace: string): WebhookAddress {
  const { webhookUrl, webhookService: name, webhookServicePort: port } = flags;
  if (webhookUrl !== undefined) return { kind: 'url', url: webhookUrl.replace(/\/$/, '') };
  return { kind: 'service', name, namespace, port };
}
