import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAwsClients } from '../src/adapters/aws/calls/clients.ts';
import { createAwsCloud } from '../src/adapters/aws/provider.ts';
import { createMetrics } from '../src/adapters/system/metrics.ts';
import { createSeededRandom } from '../src/adapters/system/seeded-random.ts';
import { createVirtualClock } from '../src/adapters/system/virtual-clock.ts';
import type { NodeClaim } from '../src/api/karpenter/node-claim.ts';
import type { Context } from '../src/controllers/context.ts';
import { reconcileInterruptions } from '../src/controllers/interruption/interruption.ts';
import { interruptionMeters } from '../src/controllers/interruption/meters.ts';
import type { Log } from '../src/ports/log.ts';
import { loadCatalog } from '../src/world/aws/catalog.ts';
import { createAwsEndpoint } from '../src/world/aws/endpoint.ts';

const silent: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };
const region = 'us-east-1';
const clusterName = 'bench';

/** Fills the queue with notices, of which one in ten is about a machine of ours, and times their handling. */
export async function measure(messages: number, root: string): Promise<object> {
  const clock = createVirtualClock(Date.UTC(2026, 10, 16));
  const endpoint = createAwsEndpoint({
    clock,
    random: createSeededRandom(1),
    catalog: loadCatalog(readFileSync(join(root, 'data', 'ec2-catalog.json'), 'utf8')),
    region,
    speed: 1,
    cluster: () => ({
      name: clusterName,
      endpoint: 'https://cluster.internal',
      certificateAuthority: 'Q0E=',
      version: '1.36',
      serviceIpv4Cidr: '10.100.0.0/16',
    }),
  });
  for (let number = 0; number < messages; number++) await endpoint.handle(sending(number));
  const clients = createAwsClients({ region, send: endpoint.handle });
  const settings = { clusterName, region, interruptionQueue: clusterName };
  const { interruptions: queue } = createAwsCloud({ clients, clock, log: silent, settings });
  if (queue === undefined) throw new Error('there is no queue');
  let ended = 0;
  const context = aContext(clock, () => {
    ended++;
  });
  const desk = { context, queue, meters: interruptionMeters(createMetrics()) };
  const started = process.hrtime.bigint();
  let isEmpty = false;
  while (!isEmpty) {
    let isDone = false;
    const beforeMs = clock.nowMs();
    const round = reconcileInterruptions(desk, new AbortController().signal).then(() => {
      isDone = true;
    });
    await clock.runUntil(() => isDone, 60_000);
    await round;
    isEmpty = clock.nowMs() - beforeMs >= 20_000;
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return {
    messages,
    claimsEnded: ended,
    seconds,
    messagesPerSecond: Math.round(messages / seconds),
  };
}

function sending(number: number) {
  const detail = { 'instance-id': `i-${number}`, 'instance-action': 'terminate' };
  const event = { version: '0', source: 'aws.ec2', time: '2026-11-16T00:00:00Z', detail };
  const MessageBody = JSON.stringify({
    ...event,
    'detail-type': 'EC2 Spot Instance Interruption Warning',
  });
  return {
    method: 'POST',
    path: '/',
    headers: {
      'x-amz-target': 'AmazonSQS.SendMessage',
      authorization: `AWS4-HMAC-SHA256 Credential=A/20261116/${region}/sqs/aws4_request, x`,
    },
    body: JSON.stringify({ QueueUrl: `http://aws/123456789012/${clusterName}`, MessageBody }),
  };
}

/** A cluster in which every tenth machine is ours; deleting a claim costs nothing here. */
function aContext(clock: Context['ports']['clock'], onDelete: () => void): Context {
  const claim = (id: string): NodeClaim => ({
    metadata: { name: `claim-${id}`, uid: id, labels: {} },
    spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'k', name: 'n' } },
    status: { providerID: `aws:///us-east-1a/${id}` },
  });
  const informers = {
    nodeClaims: {
      by: (_: string, id: string) => (id.endsWith('0') ? [claim(id)] : []),
      apply: () => {},
    },
    nodes: { by: () => [] },
  };
  const ports = {
    clock,
    kube: { delete: async () => onDelete() },
    events: { publish: () => true },
    decisions: { record: () => {} },
  };
  const meters = { claimsDisrupted: { add: () => {} } };
  return { ports, informers, meters, settings: { clusterName } } as unknown as Context;
}
