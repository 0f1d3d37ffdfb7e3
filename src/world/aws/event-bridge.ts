import { type Random, uuid } from '../../ports/random.ts';
import type { CloudTime } from './cloud-time.ts';
import { isoSeconds } from './wire/times.ts';

/** Puts one message into the interruption queue. */
type Deliver = (body: string) => void;

/** The rules that EventBridge has for Karpenter: every EC2 event about an instance is delivered. */
export class EventBridge {
  readonly #time: CloudTime;
  readonly #random: Random;
  readonly #place: { readonly accountId: string; readonly region: string };
  readonly #deliver: Deliver;

  constructor(options: {
    readonly time: CloudTime;
    readonly random: Random;
    readonly accountId: string;
    readonly region: string;
    readonly deliver: Deliver;
  }) {
    this.#time = options.time;
    this.#random = options.random;
    this.#place = { accountId: options.accountId, region: options.region };
    this.#deliver = options.deliver;
  }

  stateChanged(instanceId: string, state: string): void {
    this.#publish('EC2 Instance State-change Notification', instanceId, { state });
  }

  rebalanceRecommended(instanceId: string): void {
    this.#publish('EC2 Instance Rebalance Recommendation', instanceId, {});
  }

  spotInterruption(instanceId: string): void {
    this.#publish('EC2 Spot Instance Interruption Warning', instanceId, {
      'instance-action': 'terminate',
    });
  }

  #publish(detailType: string, instanceId: string, detail: Readonly<Record<string, string>>): void {
    const { accountId, region } = this.#place;
    this.#deliver(
      JSON.stringify({
        version: '0',
        id: uuid(this.#random),
        'detail-type': detailType,
        source: 'aws.ec2',
        account: accountId,
        time: isoSeconds(this.#time.nowMs()),
        region,
        resources: [`arn:aws:ec2:${region}:${accountId}:instance/${instanceId}`],
        detail: { 'instance-id': instanceId, ...detail },
      }),
    );
  }
}
