import { readFileSync } from 'node:fs';
import { DescribeInstancesCommand, DescribeLaunchTemplatesCommand } from '@aws-sdk/client-ec2';
import { ListInstanceProfilesCommand } from '@aws-sdk/client-iam';
import { createAwsClients } from '../../src/adapters/aws/calls/clients.ts';
import { createAwsProvider } from '../../src/adapters/aws/provider.ts';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import type { EC2NodeClass } from '../../src/api/karpenter/ec2-node-class.ts';
import type { HttpHandler, HttpResponse } from '../../src/ports/http.ts';
import type { Log } from '../../src/ports/log.ts';
import { loadCatalog } from '../../src/world/aws/catalog.ts';
import { createAwsEndpoint } from '../../src/world/aws/endpoint.ts';
import { type CloudUnderTest, describeCloudProvider } from './cloud-provider.contract.ts';

// A region with few types, since every start of a provider reads them all.
const region = 'ap-east-1';
const clusterName = 'contract';
const catalog = loadCatalog(
  readFileSync(new URL('../../data/ec2-catalog.json', import.meta.url), 'utf8'),
);

const silent: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };

/** The embedded AWS, called in process on a virtual clock, behind a wire that can fail. */
function embeddedAws(): CloudUnderTest {
  const clock = createVirtualClock(Date.UTC(2026, 10, 16));
  const endpoint = createAwsEndpoint({
    clock,
    random: createSeededRandom(7),
    catalog,
    region,
    speed: 1,
    cluster: () => ({
      name: clusterName,
      endpoint: 'https://cluster.internal',
      certificateAuthority: 'Q0E=',
      version: '1.34',
      serviceIpv4Cidr: '10.100.0.0/16',
    }),
  });
  const wire = { lostLaunchAnswers: 0, hiddenMs: 0 };
  const send: HttpHandler = async (request) => {
    const response = await endpoint.handle(request);
    const body = bodyText(request.body);
    if (body.includes('Action=CreateFleet') && wire.lostLaunchAnswers > 0) {
      wire.lostLaunchAnswers--;
      throw new Error('socket hang up');
    }
    if (body.includes('Action=DescribeInstances&') && wire.hiddenMs > 0)
      return withoutYoung(response, clock.nowMs() - wire.hiddenMs);
    return response;
  };
  const settings = { clusterName, region };
  /** Sees everything, at once. */
  const owner = createAwsClients({ region, send: endpoint.handle });

  async function settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    await clock.runUntil(() => isDone, 3_600_000);
    return work;
  }

  async function leftovers(): Promise<readonly string[]> {
    const [templates, profiles] = await settle(
      Promise.all([
        owner.ec2.send(new DescribeLaunchTemplatesCommand({})),
        owner.iam.send(new ListInstanceProfilesCommand({})),
      ]),
    );
    return [
      ...(templates.LaunchTemplates ?? []).map((template) => template.LaunchTemplateName ?? ''),
      ...(profiles.InstanceProfiles ?? []).map((profile) => profile.InstanceProfileName ?? ''),
    ].sort();
  }

  async function liveInstances(): Promise<readonly string[]> {
    const Filters = [{ Name: 'instance-state-name', Values: ['pending', 'running'] }];
    const found = await settle(owner.ec2.send(new DescribeInstancesCommand({ Filters })));
    const instances = (found.Reservations ?? []).flatMap((one) => one.Instances ?? []);
    return instances.map((instance) => instance.InstanceId ?? '').sort();
  }

  return {
    start: () =>
      createAwsProvider({
        clients: createAwsClients({ region, send }),
        clock,
        log: silent,
        settings,
      }),
    nodeClass,
    settle,
    letPass: (ms) => clock.runFor(ms),
    runOut: (pool) => endpoint.market.setShortage(pool),
    loseLaunchAnswers: (count) => {
      wire.lostLaunchAnswers = count;
    },
    hideYoungInstances: (ms) => {
      wire.hiddenMs = ms;
    },
    liveInstances,
    leftovers,
  };
}

function bodyText(body: string | Uint8Array | undefined): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

/** EC2 is consistent in the end only: a fresh instance may be missing from what it lists. */
function withoutYoung(response: HttpResponse, bornBeforeMs: number): HttpResponse {
  if (typeof response.body !== 'string') throw new Error('expected a whole answer');
  const body = response.body.replace(
    /<item><reservationId>[\s\S]*?<launchTime>([^<]+)<\/launchTime>[\s\S]*?<\/instancesSet>[\s\S]*?<\/item>/g,
    (reservation, launchTime: string) => (Date.parse(launchTime) > bornBeforeMs ? '' : reservation),
  );
  return { ...response, body };
}

function nodeClass(name: string): EC2NodeClass {
  return {
    metadata: { name, uid: `class-${name}`, generation: 1 },
    spec: {
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': clusterName } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': clusterName } }],
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      role: `KarpenterNodeRole-${clusterName}`,
    },
  };
}

describeCloudProvider('AWS through the embedded endpoint', embeddedAws);
