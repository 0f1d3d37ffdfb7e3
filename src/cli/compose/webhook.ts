import { nodePools } from '../../api/karpenter/node-pool.ts';
import {
  type KeeperPorts,
  keepCertificate,
  type WebhookSettings,
} from '../../controllers/webhook/keeper.ts';
import type { RunningServer } from '../../server/serve.ts';
import { serveConversion } from '../../server/webhook/serve-conversion.ts';

export interface WebhookOptions extends WebhookSettings {
  readonly host: string;
  readonly port: number;
}

/**
 * The conversion webhook, whole: its certificate is kept in every replica, leading or not, since
 * the API server asks any of them.
 */
export async function startWebhook(
  ports: KeeperPorts,
  { host, port, ...settings }: WebhookOptions,
  signal: AbortSignal,
): Promise<RunningServer> {
  const certificate = keepCertificate(ports, settings, signal);
  const expireAfterOf = async (name: string): Promise<string | undefined> => {
    const pool = await ports.kube.get(nodePools, { name });
    return pool?.spec.template.spec.expireAfter;
  };
  const server = await serveConversion({ certificate, expireAfterOf }, { host, port });
  return {
    ...server,
    close: async () => {
      await Promise.all([server.close(), certificate.done]);
    },
  };
}
