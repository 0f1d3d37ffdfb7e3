import {
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  type EC2Client,
  type Filter,
  type Instance,
} from '@aws-sdk/client-ec2';

const ours: Filter = { Name: 'tag-key', Values: ['karpenter.sh/nodepool'] };

/** What EC2 answers when it is asked for things that Karpenter made. */
export class CloudCensus {
  readonly #ec2: EC2Client;

  constructor(ec2: EC2Client) {
    this.#ec2 = ec2;
  }

  /** Machines that still cost money, by id. */
  async instances(): Promise<readonly string[]> {
    const states = ['pending', 'running', 'stopping', 'stopped', 'shutting-down'];
    const found = await this.#describe([{ Name: 'instance-state-name', Values: states }]);
    return found.map(({ InstanceId = '' }) => InstanceId).sort();
  }

  /** How many machines were ever bought, ended ones included. */
  async instancesEver(): Promise<number> {
    return (await this.#describe([])).length;
  }

  async launchTemplates(): Promise<readonly string[]> {
    const answer = await this.#ec2.send(new DescribeLaunchTemplatesCommand({}));
    return (answer.LaunchTemplates ?? []).map((template) => template.LaunchTemplateName ?? '');
  }

  async #describe(filters: readonly Filter[]): Promise<readonly Instance[]> {
    const command = new DescribeInstancesCommand({ Filters: [ours, ...filters] });
    const { Reservations = [] } = await this.#ec2.send(command);
    return Reservations.flatMap(({ Instances = [] }) => Instances);
  }
}
