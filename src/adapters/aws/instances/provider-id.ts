import { CloudError } from '../../../ports/cloud-provider.ts';

/** `aws:///us-east-1a/i-0123`, as the cloud provider of Kubernetes writes it. */
export function providerIdOf(zone: string, instanceId: string): string {
  return `aws:///${zone}/${instanceId}`;
}

/** The instance's id. Rejects ids of other clouds. */
export function instanceIdOf(providerId: string): string {
  const id = /^aws:\/\/\/[^/]*\/(i-[^/]+)$/.exec(providerId)?.[1];
  if (id === undefined)
    throw new CloudError(
      'rejected',
      'InvalidProviderID',
      `reading provider id "${providerId}": it does not name an EC2 instance`,
    );
  return id;
}
