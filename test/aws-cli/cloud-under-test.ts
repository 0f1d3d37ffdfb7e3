import { createAwsClients } from '../../src/adapters/aws/calls/clients.ts';
import { createAwsCloud } from '../../src/adapters/aws/provider.ts';
import type { EC2NodeClass } from '../../src/api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import type { Log } from '../../src/ports/log.ts';
import { clusterName, embeddedAws } from './embedded-aws.ts';

// A region with few types.
export const region = 'ap-east-1';
const silent: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };

/** The whole adapter before the embedded endpoint; `meddle` stands between the two. */
export function cloudUnderTest(meddle: (send: HttpHandler) => HttpHandler = (send) => send) {
  const aws = embeddedAws({ region });
  const { clock } = aws;
  /** A process that remembers nothing of those before it. */
  const start = (): ReturnType<typeof createAwsCloud> =>
    createAwsCloud({
      clients: createAwsClients({ region, send: meddle(aws.endpoint.handle) }),
      clock,
      log: silent,
      settings: { clusterName, region, interruptionQueue: clusterName },
    });
  /** Lets time pass until the work is done. */
  async function settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    await clock.runUntil(() => isDone, 3_600_000);
    return work;
  }
  return { ...start(), start, aws, clock, settle };
}

export function aNodeClass(spec: Partial<EC2NodeClass['spec']> = {}): EC2NodeClass {
  return {
    metadata: { name: 'default', uid: 'class-1', generation: 1 },
    spec: {
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': clusterName } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': clusterName } }],
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      role: `KarpenterNodeRole-${clusterName}`,
      ...spec,
    },
  };
}

export function aClaim(requirements: NodeClaim['spec']['requirements'] = []): NodeClaim {
  return {
    metadata: { name: 'web-1', uid: 'uid-web-1', labels: { [labels.nodePool]: 'web' } },
    spec: {
      requirements,
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    },
  };
}
