import { expect, test } from 'vitest';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { CloudProvider } from '../../ports/cloud-provider.ts';
import type { Log } from '../../ports/log.ts';
import type { Informer } from '../../runtime/informer.ts';
import { InstanceTypeBook } from './instance-type-book.ts';

const log: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => log };

function readyClass(name: string): EC2NodeClass {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return {
    metadata: { name, uid: name, generation: 1 },
    spec: { subnetSelectorTerms: [], securityGroupSelectorTerms: [], amiSelectorTerms: [] },
    status: { conditions: [{ type: 'Ready', status: 'True', reason: '', lastTransitionTime }] },
  };
}

test('of classes that are gone nothing is known, be it their types or why there are none', async () => {
  let classes: readonly EC2NodeClass[] = [];
  const book = new InstanceTypeBook({
    log,
    cloud: {
      instanceTypes: async ({ metadata }: EC2NodeClass) => {
        if (metadata.name.startsWith('dark')) throw new Error('no answer');
        return [];
      },
    } as unknown as CloudProvider,
    nodeClasses: { list: () => classes } as unknown as Informer<EC2NodeClass>,
  });
  for (let run = 0; run < 20; run++) {
    classes = [readyClass(`run-${run}`), readyClass(`dark-${run}`)];
    await book.refresh();
  }
  expect([book.size, book.whyUnknown('dark-19')]).toEqual([2, 'no answer']);
  classes = [];
  await book.refresh();
  expect([book.size, book.whyUnknown('dark-19')]).toEqual([0, undefined]);
});
