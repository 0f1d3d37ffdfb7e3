/**
 * How many branch network interfaces (`vpc.amazonaws.com/pod-eni`) a machine carries. EC2's API
 * does not tell; the VPC resource controller keeps the numbers, and these are its of 2026-09.
 * Zero for types that cannot trunk and for types that the table does not know.
 */
export function branchInterfaces(instanceType: string): number {
  const [family = '', size = ''] = instanceType.split('.');
  return limits.get(family)?.get(size) ?? 0;
}

/** Families that agree wherever they share a size, and the limit of each size. */
const table: readonly (readonly [string, string])[] = [
  [
    'c5n c8a c8i c8id gr6f m8a m8i m8id r8a r8i r8id u-3tb1 u7i-12tb u7i-6tb u7i-8tb x8i',
    'medium:4 56xlarge:6 large:9 xlarge:18 2xlarge:38 4xlarge:54 9xlarge:54 8xlarge:82 ' +
      '32xlarge:98 48xlarge:98 64xlarge:98 96xlarge:98 metal-48xl:98 metal-96xl:98 16xlarge:106 ' +
      '24xlarge:106 metal-24xl:106 112xlarge:107 18xlarge:107 224xlarge:107 metal:107 ' +
      '12xlarge:110',
  ],
  [
    'c8ib c8in c8ine gr6 m8ib m8idb m8idn m8in m8ine mac-m3ultra mac-m4 mac-m4max mac-m4pro ' +
      'mac1 mac2 mac2-m1ultra mac2-m2 mac2-m2pro r8ib r8idb r8idn r8in u7in-16tb u7in-24tb ' +
      'u7in-32tb',
    'metal:6 large:8 xlarge:18 2xlarge:38 4xlarge:54 8xlarge:84 48xlarge:98 96xlarge:98 ' +
      'metal-48xl:98 metal-96xl:98 16xlarge:106 224xlarge:106 24xlarge:106 32xlarge:106 ' +
      '12xlarge:110',
  ],
  [
    'c6a c6i c6id c7a c7i dl2q f2 g6 inf2 m6a m6i m6id m7a m7i p3dn r6a r6i r6id r7a r7i r7iz ' +
      'x2idn',
    'medium:4 large:9 xlarge:18 2xlarge:38 4xlarge:54 6xlarge:84 8xlarge:84 16xlarge:107 ' +
      '24xlarge:107 32xlarge:107 48xlarge:107 metal:107 metal-16xl:107 metal-24xl:107 ' +
      'metal-32xl:107 metal-48xl:107 12xlarge:114',
  ],
  [
    'c5 c5a c5ad c5d c6g c6gd c6gn c7g c7gd c7gn c8g c8gd g5g i4g i8g im4gn is4gen m5a m5ad ' +
      'm5d m5dn m5n m6g m6gd m7g m7gd m8g m8gd r5a r5ad r5b r5d r5dn r5n r6g r6gd r7g r7gd r8g ' +
      'r8gd trn1n vt1 x8g',
    'medium:4 large:9 xlarge:18 2xlarge:38 3xlarge:38 12xlarge:54 4xlarge:54 6xlarge:54 ' +
      '8xlarge:54 9xlarge:54 16xlarge:107 18xlarge:107 24xlarge:107 48xlarge:107 metal:107 ' +
      'metal-24xl:107 metal-48xl:107 32xlarge:120',
  ],
  [
    'c8gb c8gn c9g c9gd m8gb m8gn m9g m9gd r8gb r8gn r9g r9gd',
    'medium:4 large:9 xlarge:18 2xlarge:38 12xlarge:50 8xlarge:52 4xlarge:54 24xlarge:98 ' +
      '48xlarge:98 metal-24xl:98 metal-48xl:98 16xlarge:106',
  ],
  [
    'a1 i7i',
    'large:9 medium:10 xlarge:18 2xlarge:38 4xlarge:54 metal:54 12xlarge:84 8xlarge:84 ' +
      '16xlarge:107 24xlarge:107 48xlarge:107 metal-24xl:107 metal-48xl:107',
  ],
  [
    'hpc7g i7ie',
    'large:19 2xlarge:27 3xlarge:27 xlarge:27 12xlarge:54 6xlarge:54 18xlarge:107 ' +
      '24xlarge:107 48xlarge:107 metal-24xl:107 metal-48xl:107 16xlarge:118 4xlarge:118 ' +
      '8xlarge:118',
  ],
  [
    'i8ge',
    'large:19 3xlarge:25 2xlarge:27 xlarge:27 12xlarge:50 6xlarge:52 48xlarge:98 ' +
      'metal-48xl:98 18xlarge:106 24xlarge:106 metal-24xl:106',
  ],
  [
    'c6in m6idn m6in p5e p5en p6-b200 p6-b300 r6idn r6in',
    'large:9 xlarge:18 2xlarge:38 4xlarge:54 8xlarge:84 32xlarge:106 metal:106 16xlarge:107 ' +
      '24xlarge:107 12xlarge:114 48xlarge:120',
  ],
  [
    'i4i',
    'xlarge:6 large:9 2xlarge:26 4xlarge:52 24xlarge:105 12xlarge:112 8xlarge:112 ' +
      '16xlarge:120 32xlarge:120 metal:120',
  ],
  [
    'm5 r5',
    'large:9 xlarge:18 2xlarge:38 12xlarge:54 4xlarge:54 8xlarge:54 16xlarge:107 24xlarge:107 ' +
      'metal:120',
  ],
  [
    'm8azn p5 trn1 x8aedz',
    'medium:3 large:8 2xlarge:17 xlarge:18 3xlarge:34 6xlarge:54 4xlarge:58 32xlarge:82 ' +
      '12xlarge:106 24xlarge:106 metal-12xl:106 metal-24xl:106 48xlarge:120',
  ],
  [
    'p4d p4de x2gd',
    'large:9 medium:10 xlarge:18 2xlarge:38 12xlarge:54 4xlarge:54 8xlarge:54 24xlarge:62 ' +
      '16xlarge:107 metal:107',
  ],
  [
    'g5',
    'xlarge:4 2xlarge:17 4xlarge:34 8xlarge:84 12xlarge:107 24xlarge:107 16xlarge:114 ' +
      '48xlarge:115',
  ],
  [
    'g6e g6f',
    'large:10 xlarge:18 2xlarge:38 4xlarge:54 48xlarge:82 8xlarge:84 24xlarge:102 ' +
      '16xlarge:107 12xlarge:112',
  ],
  ['i3en', 'large:5 xlarge:12 2xlarge:28 3xlarge:38 12xlarge:54 6xlarge:54 24xlarge:107 metal:107'],
  [
    'x2iedn',
    'xlarge:11 2xlarge:27 4xlarge:54 16xlarge:107 24xlarge:107 32xlarge:107 metal:107 ' +
      '8xlarge:114',
  ],
  [
    'c7i-flex m7i-flex',
    'large:3 xlarge:8 2xlarge:18 4xlarge:34 8xlarge:54 16xlarge:107 12xlarge:114',
  ],
  [
    'c8i-flex m8i-flex r8i-flex',
    'large:3 xlarge:8 2xlarge:18 4xlarge:34 8xlarge:52 16xlarge:106 12xlarge:110',
  ],
  ['g4dn', '2xlarge:39 xlarge:39 12xlarge:54 8xlarge:58 4xlarge:59 metal:107 16xlarge:118'],
  [
    'm5zn x2iezn',
    'large:13 xlarge:29 2xlarge:62 3xlarge:92 12xlarge:107 metal:107 4xlarge:114 6xlarge:114 ' +
      '8xlarge:114',
  ],
  ['z1d', 'large:13 xlarge:28 3xlarge:54 6xlarge:54 2xlarge:58 12xlarge:107 metal:107'],
  ['d3en', 'xlarge:24 2xlarge:58 4xlarge:118 6xlarge:118 8xlarge:118 12xlarge:119'],
  ['g7', '2xlarge:38 4xlarge:54 8xlarge:82 24xlarge:98 48xlarge:98 12xlarge:110'],
  ['g7e', '12xlarge:120 24xlarge:120 2xlarge:120 48xlarge:120 4xlarge:120 8xlarge:120'],
  ['d3', 'xlarge:42 2xlarge:92 4xlarge:118 8xlarge:119'],
  ['inf1', '2xlarge:38 xlarge:38 6xlarge:54 24xlarge:111'],
];

const limits: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  table.flatMap(([families, sizes]) => {
    const bySize = new Map(
      sizes.split(' ').map((entry): [string, number] => {
        const [size = '', limit] = entry.split(':');
        return [size, Number(limit)];
      }),
    );
    return families
      .split(' ')
      .map((family): [string, ReadonlyMap<string, number>] => [family, bySize]);
  }),
);
