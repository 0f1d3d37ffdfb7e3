import { beforeAll, expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { formatAmount } from '../../../core/quantity/quantity.ts';

// Worked out apart from the code: from the catalogue's facts, by the formulas of Karpenter's
// documentation, in integers. AL2023, no mappings, no settings of the kubelet.
const allocatable = rowsOf(`
  type                arch  cpu     memory     pods branch more
  t2.nano             amd64 940m    74Mi       4    0
  t3.micro            amd64 1930m   548Mi      4    0
  t3.medium           amd64 1930m   3246Mi     17   0
  t3a.large           amd64 1930m   6837Mi     35   0
  t4g.nano            arm64 1930m   15Mi       4    0
  t4g.large           arm64 1930m   6778Mi     35   0
  t8i.medium          amd64 1930m   3246Mi     17   0
  c1.medium           amd64 1930m   1122Mi     12   0
  c3.large            amd64 1930m   2878Mi     29   0
  c4.8xlarge          amd64 35840m  53903Mi    234  0
  m4.16xlarge         amd64 63770m  239554Mi   234  0
  m1.small            amd64 940m    1166Mi     8    0
  r3.8xlarge          amd64 31850m  228187Mi   234  0
  d2.8xlarge          amd64 35840m  228187Mi   234  0
  i2.xlarge           amd64 3920m   27896Mi    58   0
  m5.large            amd64 1930m   6903Mi     29   9
  m5.24xlarge         amd64 95690m  355262Mi   737  107
  m5.metal            amd64 95690m  355262Mi   737  120
  m5d.metal           amd64 95690m  355262Mi   737  107
  m5zn.12xlarge       amd64 47810m  173400Mi   737  107    efa=1
  m6a.48xlarge        amd64 191450m 718987Mi   737  107    efa=1
  m6i.32xlarge        amd64 127610m 476504Mi   737  107    efa=1
  m7i.metal-48xl      amd64 191450m 718987Mi   737  107    efa=1
  m7a.medium          amd64 940m    3345Mi     8    4
  m8i.96xlarge        amd64 382970m 1437890Mi  1514 98     efa=1
  m8a.large           amd64 1930m   6573Mi     59   9
  c5.18xlarge         amd64 71750m  127934Mi   737  107
  c5n.18xlarge        amd64 71750m  173400Mi   737  107    efa=1
  c6in.32xlarge       amd64 127610m 237794Mi   394  106    efa=2
  c6gn.16xlarge       arm64 63770m  112720Mi   737  107    efa=1
  c7gn.16xlarge       arm64 63770m  112720Mi   737  107    efa=1
  c7i.metal-24xl      amd64 95690m  173400Mi   737  107
  c8g.metal-48xl      arm64 191450m 355203Mi   737  107    efa=1
  c9g.large           arm64 1930m   2725Mi     59   9
  c7i-flex.large      amd64 1930m   3114Mi     29   3
  m7i-flex.8xlarge    amd64 31850m  118312Mi   234  54
  r8i-flex.16xlarge   amd64 63770m  473501Mi   1010 106
  c8i-flex.12xlarge   amd64 47810m  84086Mi    590  110
  a1.medium           arm64 940m    1392Mi     8    10
  a1.metal            arm64 15890m  27322Mi    234  54
  m6g.16xlarge        arm64 63770m  233962Mi   737  107
  r6gd.metal          arm64 63770m  476445Mi   737  107
  m8gd.medium         arm64 940m    3286Mi     8    4
  r8g.24xlarge        arm64 95690m  718928Mi   737  107    efa=1
  x2gd.metal          arm64 63770m  961411Mi   737  107
  x8g.48xlarge        arm64 191450m 2901277Mi  737  107    efa=1
  r7iz.metal-32xl     amd64 127610m 961470Mi   737  107    efa=1
  x1e.32xlarge        amd64 127610m 3694939Mi  234  0
  x2iedn.32xlarge     amd64 127610m 3871269Mi  737  107    efa=1
  u7i-12tb.224xlarge  amd64 893690m 11630731Mi 737  107    efa=1
  u7in-24tb.224xlarge amd64 893690m 23273698Mi 394  106    efa=2
  z1d.metal           amd64 47810m  355262Mi   737  107
  i3en.24xlarge       amd64 95690m  718987Mi   737  107    efa=1
  i4i.metal           amd64 127610m 961470Mi   737  120    efa=1
  i4g.large           arm64 1930m   14422Mi    29   9
  im4gn.16xlarge      arm64 63770m  233962Mi   737  107    efa=1
  is4gen.8xlarge      arm64 31850m  178874Mi   234  54
  i7ie.48xlarge       amd64 191450m 1450210Mi  394  107    efa=1
  d3en.12xlarge       amd64 47810m  180528Mi   89   119
  h1.16xlarge         amd64 63770m  237794Mi   394  0
  g4dn.xlarge         amd64 3920m   14481Mi    29   39     nvidia=1
  g4dn.metal          amd64 95690m  355262Mi   737  107    efa=1 nvidia=8
  g5.48xlarge         amd64 191450m 723299Mi   345  115    efa=1 nvidia=8
  g5g.metal           arm64 63770m  112720Mi   737  107    nvidia=2
  g6.xlarge           amd64 3920m   14162Mi    58   18     nvidia=1
  g6f.large           amd64 1930m   7002Mi     20   10
  gr6.8xlarge         amd64 31850m  239554Mi   234  84     efa=1 nvidia=1
  g6e.48xlarge        amd64 191450m 1449132Mi  492  82     efa=4 nvidia=8
  p3dn.24xlarge       amd64 95690m  718987Mi   737  107    efa=1 nvidia=8
  p4d.24xlarge        amd64 95690m  1082712Mi  737  62     efa=4 nvidia=8
  p5.48xlarge         amd64 191450m 1938410Mi  100  120    efa=32 nvidia=8
  p5en.48xlarge       amd64 191450m 1937332Mi  198  120    efa=16 nvidia=8
  inf1.24xlarge       amd64 95690m  177976Mi   321  111    efa=1 neuron=16 neuroncore=64
  inf2.48xlarge       amd64 191450m 718987Mi   737  107    neuron=12 neuroncore=24
  trn1.32xlarge       amd64 127610m 481894Mi   247  82     efa=8 neuron=16 neuroncore=32
  trn1n.32xlarge      amd64 127610m 481894Mi   247  120    efa=16 neuron=16 neuroncore=32
  vt1.24xlarge        amd64 95690m  173400Mi   737  107    efa=1
  f2.48xlarge         amd64 191450m 1931403Mi  737  107    efa=1
  hpc7g.16xlarge      arm64 63770m  118649Mi   198  118    efa=1
`);

const marks = rowsOf(`
  type                category gen maker mhz  mib      ebs    net     nvme   hypervisor encrypted flex sold           gpu                  accelerator
  t2.nano             t        2   intel 2400 512      -      -       -      xen        no        no   on-demand      -                    -
  t3.micro            t        3   intel 2500 1024     2085   64      -      nitro      no        no   on-demand+spot -                    -
  t3.medium           t        3   intel 2500 4096     2085   256     -      nitro      no        no   on-demand+spot -                    -
  t3a.large           t        3   amd   2200 8192     2780   512     -      nitro      no        no   on-demand+spot -                    -
  t4g.nano            t        4   aws   2500 512      2085   32      -      nitro      no        no   on-demand+spot -                    -
  t4g.large           t        4   aws   2500 8192     2780   512     -      nitro      no        no   on-demand+spot -                    -
  t8i.medium          t        8   intel 3900 4096     5000   -       -      nitro      yes       no   on-demand+spot -                    -
  c1.medium           c        1   intel 0    1740     -      -       -      xen        no        no   on-demand+spot -                    -
  c3.large            c        3   intel 2800 3840     -      -       -      xen        no        no   on-demand+spot -                    -
  c4.8xlarge          c        4   intel 2900 61440    4000   10000   -      xen        no        no   on-demand+spot -                    -
  m4.16xlarge         m        4   intel 2300 262144   10000  25000   -      xen        no        no   on-demand+spot -                    -
  m1.small            m        1   intel 0    1740     -      -       -      xen        no        no   on-demand+spot -                    -
  r3.8xlarge          r        3   intel 2500 249856   -      10000   -      xen        no        no   on-demand+spot -                    -
  d2.8xlarge          d        2   intel 2400 249856   4000   10000   -      xen        no        no   on-demand+spot -                    -
  i2.xlarge           i        2   intel 2500 31232    -      -       -      xen        no        no   on-demand+spot -                    -
  m5.large            m        5   intel 3100 8192     4750   750     -      nitro      no        no   on-demand+spot -                    -
  m5.24xlarge         m        5   intel 3100 393216   19000  25000   -      nitro      no        no   on-demand+spot -                    -
  m5.metal            m        5   intel 3100 393216   19000  25000   -      none       no        no   on-demand+spot -                    -
  m5d.metal           m        5   intel 3100 393216   19000  25000   3600   none       no        no   on-demand+spot -                    -
  m5zn.12xlarge       m        5   intel 4500 196608   19000  100000  -      nitro      yes       no   on-demand+spot -                    -
  m6a.48xlarge        m        6   amd   3600 786432   40000  50000   -      nitro      yes       no   on-demand+spot -                    -
  m6i.32xlarge        m        6   intel 3500 524288   40000  50000   -      nitro      yes       no   on-demand+spot -                    -
  m7i.metal-48xl      m        7   intel 3200 786432   40000  50000   -      none       yes       no   on-demand+spot -                    -
  m7a.medium          m        7   amd   3700 4096     10000  390     -      nitro      yes       no   on-demand+spot -                    -
  m8i.96xlarge        m        8   intel 3900 1572864  80000  100000  -      nitro      yes       no   on-demand+spot -                    -
  m8a.large           m        8   amd   4500 8192     10000  937     -      nitro      yes       no   on-demand+spot -                    -
  c5.18xlarge         c        5   intel 3400 147456   19000  25000   -      nitro      no        no   on-demand+spot -                    -
  c5n.18xlarge        c        5   intel 3400 196608   19000  100000  -      nitro      yes       no   on-demand+spot -                    -
  c6in.32xlarge       c        6   intel 3500 262144   100000 200000  -      nitro      yes       no   on-demand+spot -                    -
  c6gn.16xlarge       c        6   aws   2500 131072   38000  100000  -      nitro      yes       no   on-demand+spot -                    -
  c7gn.16xlarge       c        7   aws   2600 131072   40000  200000  -      nitro      yes       no   on-demand+spot -                    -
  c7i.metal-24xl      c        7   intel 3200 196608   30000  37500   -      none       yes       no   on-demand+spot -                    -
  c8g.metal-48xl      c        8   aws   2700 393216   40000  50000   -      none       yes       no   on-demand+spot -                    -
  c9g.large           c        9   aws   3300 4096     12000  1000    -      nitro      yes       no   on-demand+spot -                    -
  c7i-flex.large      c        7   intel 3200 4096     10000  390     -      nitro      yes       yes  on-demand+spot -                    -
  m7i-flex.8xlarge    m        7   intel 3200 131072   10000  6250    -      nitro      yes       yes  on-demand+spot -                    -
  r8i-flex.16xlarge   r        8   intel 3900 524288   20000  15000   -      nitro      yes       yes  on-demand+spot -                    -
  c8i-flex.12xlarge   c        8   intel 3900 98304    15000  11250   -      nitro      yes       yes  on-demand+spot -                    -
  a1.medium           a        1   aws   2300 2048     3500   500     -      nitro      no        no   on-demand+spot -                    -
  a1.metal            a        1   aws   2300 32768    3500   5000    -      none       no        no   on-demand+spot -                    -
  m6g.16xlarge        m        6   aws   2500 262144   19000  25000   -      nitro      no        no   on-demand+spot -                    -
  r6gd.metal          r        6   aws   2500 524288   19000  25000   3800   none       no        no   on-demand+spot -                    -
  m8gd.medium         m        8   aws   2800 4096     10000  520     59     nitro      yes       no   on-demand+spot -                    -
  r8g.24xlarge        r        8   aws   2800 786432   30000  40000   -      nitro      yes       no   on-demand+spot -                    -
  x2gd.metal          x        2   aws   2500 1048576  19000  25000   3800   none       no        no   on-demand+spot -                    -
  x8g.48xlarge        x        8   aws   2700 3145728  40000  50000   -      nitro      yes       no   on-demand+spot -                    -
  r7iz.metal-32xl     r        7   intel 3900 1048576  40000  50000   -      none       yes       no   on-demand+spot -                    -
  x1e.32xlarge        x        1   intel 2300 3997696  14000  25000   -      xen        no        no   on-demand+spot -                    -
  x2iedn.32xlarge     x        2   intel 3500 4194304  80000  100000  3800   nitro      yes       no   on-demand+spot -                    -
  u7i-12tb.224xlarge  u        7   intel 1900 12582912 100000 100000  -      nitro      yes       no   on-demand      -                    -
  u7in-24tb.224xlarge u        7   intel 1900 25165824 100000 200000  -      nitro      yes       no   on-demand      -                    -
  z1d.metal           z        1   intel 4000 393216   19000  25000   1800   none       no        no   on-demand+spot -                    -
  i3en.24xlarge       i        3   intel 3100 786432   19000  100000  60000  nitro      yes       no   on-demand+spot -                    -
  i4i.metal           i        4   intel 3500 1048576  40000  75000   30000  none       yes       no   on-demand+spot -                    -
  i4g.large           i        4   aws   2500 16384    10000  781     468    nitro      yes       no   on-demand+spot -                    -
  im4gn.16xlarge      im       4   aws   2500 262144   40000  100000  30000  nitro      yes       no   on-demand+spot -                    -
  is4gen.8xlarge      is       4   aws   2500 196608   20000  50000   30000  nitro      yes       no   on-demand+spot -                    -
  i7ie.48xlarge       i        7   intel 3200 1572864  60000  100000  120000 nitro      yes       no   on-demand+spot -                    -
  d3en.12xlarge       d        3   intel 3100 196608   7000   75000   335520 nitro      yes       no   on-demand+spot -                    -
  h1.16xlarge         h        1   intel 2300 262144   14000  25000   -      xen        no        no   on-demand+spot -                    -
  g4dn.xlarge         g        4   intel 2500 16384    3500   5000    125    nitro      yes       no   on-demand+spot nvidia/t4/1/16384    -
  g4dn.metal          g        4   intel 2500 393216   19000  100000  1800   none       yes       no   on-demand+spot nvidia/t4/8/16384    -
  g5.48xlarge         g        5   amd   3300 786432   19000  100000  7600   nitro      yes       no   on-demand+spot nvidia/a10g/8/22888  -
  g5g.metal           g        5   aws   2500 131072   19000  25000   -      none       no        no   on-demand+spot nvidia/t4g/2/16384   -
  g6.xlarge           g        6   amd   3400 16384    5000   2500    250    nitro      yes       no   on-demand+spot nvidia/l4/1/22888    -
  g6f.large           g        6   amd   3400 8192     5000   1500    100    nitro      yes       no   on-demand+spot nvidia/l4/0/2861     -
  gr6.8xlarge         gr       6   amd   3400 262144   16000  25000   900    nitro      yes       no   on-demand+spot nvidia/l4/1/22888    -
  g6e.48xlarge        g        6   amd   3400 1572864  60000  400000  7600   nitro      yes       no   on-demand+spot nvidia/l40s/8/45776  -
  p3dn.24xlarge       p        3   intel 2500 786432   19000  100000  1800   nitro      yes       no   on-demand+spot nvidia/v100/8/32768  -
  p4d.24xlarge        p        4   intel 3000 1179648  19000  400000  8000   nitro      yes       no   on-demand+spot nvidia/a100/8/40960  -
  p5.48xlarge         p        5   amd   3600 2097152  80000  3200000 30400  nitro      yes       no   on-demand+spot nvidia/h100/8/81920  -
  p5en.48xlarge       p        5   intel 2400 2097152  100000 3200000 30400  nitro      yes       no   on-demand+spot nvidia/h200/8/144384 -
  inf1.24xlarge       inf      1   intel 2500 196608   19000  100000  -      nitro      yes       no   on-demand+spot -                    aws/inferentia/16
  inf2.48xlarge       inf      2   amd   3600 786432   60000  100000  -      nitro      yes       no   on-demand+spot -                    aws/inferentia2/12
  trn1.32xlarge       trn      1   intel 3500 524288   80000  800000  7600   nitro      yes       no   on-demand+spot -                    aws/trainium/16
  trn1n.32xlarge      trn      1   intel 3500 524288   80000  1600000 7600   nitro      yes       no   on-demand+spot -                    aws/trainium/16
  vt1.24xlarge        vt       1   intel 2500 196608   19000  25000   -      nitro      yes       no   on-demand+spot -                    -
  f2.48xlarge         f        2   amd   3400 2097152  60000  100000  7520   nitro      yes       no   on-demand+spot -                    -
  hpc7g.16xlarge      hpc      7   aws   2600 131072   2085   200000  -      nitro      yes       no   on-demand      -                    -
`);

function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = text.trim().split('\n');
  const names = head.trim().split(/ +/);
  return lines.map((line) => {
    const fields = line.trim().split(/ +/);
    const last = fields.slice(names.length - 1).join(' ');
    return Object.fromEntries(
      names.map((name, i) => [name, i === names.length - 1 ? last : (fields[i] ?? '')]),
    );
  });
}

let types: ReadonlyMap<string, InstanceType> = new Map();

beforeAll(async () => {
  const region = 'us-east-1';
  const under = typesUnderTest({ settings: { region } });
  const subnets = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => ({
    ...{ id: `subnet-${letter}`, zone: `${region}${letter}`, zoneID: `use1-${letter}` },
  }));
  const listed = await under.list(aResolvedClass({ region, status: { subnets } }));
  types = new Map(listed.map((type) => [type.name, type]));
});

const resources: Readonly<Record<string, string>> = {
  efa: 'vpc.amazonaws.com/efa',
  nvidia: 'nvidia.com/gpu',
  amd: 'amd.com/gpu',
  gaudi: 'habana.ai/gaudi',
  neuron: 'aws.amazon.com/neuron',
  neuroncore: 'aws.amazon.com/neuroncore',
};

test.each(allocatable)('$type leaves $cpu, $memory and $pods pods', (row) => {
  const found = types.get(row.type ?? '');
  const more = (row.more ?? '').split(' ').flatMap((entry) => {
    const [name = '', amount = ''] = entry.split('=');
    const resource = resources[name];
    return resource === undefined ? [] : [[resource, amount]];
  });
  const amounts = Object.entries(found?.allocatable ?? {}).map(([name, amount]) => [
    name,
    formatAmount(name, amount),
  ]);
  expect(Object.fromEntries(amounts)).toEqual({
    ...{ cpu: row.cpu, memory: row.memory, pods: row.pods, 'ephemeral-storage': '17Gi' },
    ...(row.branch === '0' ? {} : { 'vpc.amazonaws.com/pod-eni': row.branch }),
    ...Object.fromEntries(more),
  });
  expect(valuesOf(found, 'kubernetes.io/arch')).toBe(row.arch);
});

test.each(marks)('$type carries its labels', (row) => {
  const found = types.get(row.type ?? '');
  const aws = (name: string): string => valuesOf(found, `karpenter.k8s.aws/instance-${name}`);
  const [family, size] = (row.type ?? '').split('.');
  const yes = (text: string): string => (text === 'true' ? 'yes' : 'no');
  const together = (...names: readonly string[]): string => {
    const values = names.map(aws);
    return values.every((value) => value === '-') ? '-' : values.join('/');
  };
  expect({
    family: aws('family'),
    size: aws('size'),
    category: aws('category'),
    gen: aws('generation'),
    maker: aws('cpu-manufacturer'),
    mhz: aws('cpu-sustained-clock-speed-mhz'),
    mib: aws('memory'),
    ebs: aws('ebs-bandwidth'),
    net: aws('network-bandwidth'),
    nvme: aws('local-nvme'),
    hypervisor: aws('hypervisor') || 'none',
    encrypted: yes(aws('encryption-in-transit-supported')),
    flex: yes(aws('capability-flex')),
    sold: valuesOf(found, 'karpenter.sh/capacity-type'),
    gpu: together('gpu-manufacturer', 'gpu-name', 'gpu-count', 'gpu-memory'),
    accelerator: together('accelerator-manufacturer', 'accelerator-name', 'accelerator-count'),
    tenancy: aws('tenancy'),
  }).toEqual({ ...row, type: undefined, family, size, tenancy: 'dedicated+default' });
});

test('more than sixty types of every kind are in the table', () => {
  expect(allocatable.length).toBeGreaterThan(60);
  expect(marks.map(({ type }) => type)).toEqual(allocatable.map(({ type }) => type));
});

/** `-` for a label that must be absent. */
function valuesOf(type: InstanceType | undefined, key: string): string {
  const set = type?.requirements.get(key);
  if (set === undefined) return 'missing';
  return set.values.size === 0 ? '-' : [...set.values].sort().join('+');
}
