/** What should become of each object of a fixture: `accepted`, or what the refusal says. */
export type Expected = 'accepted' | 'not served' | RegExp;

export interface SeedFixture {
  readonly file: string;
  /** Sent as it is. */
  readonly written: readonly Expected[];
  /** Sent with only its version raised to v1. */
  readonly raised: readonly Expected[];
  /** Sent after `karpenter convert`. */
  readonly converted: readonly Expected[];
  /** How many things convert changes. */
  readonly changes: number;
  /** The codes that `karpenter lint` gives for Kubernetes 1.33 in us-east-1, in order, each once. */
  readonly lint: readonly string[];
}

const noImages = /spec\.amiSelectorTerms: Required value/;
const oldSelectors =
  /(?=.*unknown field "spec\.subnetSelector")(?=.*unknown field "spec\.securityGroupSelector")/s;
const noGroup = /nodeClassRef\.group: Required value.*nodeClassRef\.kind: Required value/s;
const oldExpiry = /unknown field "spec\.disruption\.expireAfter"/;
const strayFields = /unknown field "tolerations"/;

/** Settings of Helm and of other tools: no objects, and nothing for us to change. */
function settings(file: string): SeedFixture {
  return { file, written: [], raised: [], converted: [], changes: 0, lint: [] };
}

/** Objects of v1beta1, which neither our v1 definitions nor those of the original serve. */
function beta(
  file: string,
  told: {
    readonly raised: readonly Expected[];
    readonly converted?: readonly Expected[];
    readonly changes: number;
    readonly lint: readonly string[];
  },
): SeedFixture {
  const { raised } = told;
  return {
    file,
    written: raised.map(() => 'not served'),
    converted: raised.map(() => 'accepted'),
    ...told,
  };
}

/** Objects that mean today what they meant then. */
function unchanged(file: string, verdict: Expected, lint: readonly string[] = []): SeedFixture {
  return { file, written: [verdict], raised: [verdict], converted: [verdict], changes: 0, lint };
}

const imageCodes = ['KTS001', 'KTS010', 'KTS013'];

export const seedFixtures: readonly SeedFixture[] = [
  settings('blueprint-1-include.yaml'),
  unchanged('eksctl-1-cluster.yaml', 'not served'),
  unchanged('eksctl-2-requirements.yaml', 'accepted', ['KTS019']),
  settings('eksctl-3-instance-type.yaml'),
  settings('guide-01-enable.yaml'),
  settings('guide-02-settings.yaml'),
  settings('guide-03-resources.yaml'),
  settings('guide-04-node-selector.yaml'),
  unchanged('guide-05-node.yaml', strayFields),
  beta('guide-06-node-class.yaml', {
    raised: [oldSelectors],
    changes: 4,
    lint: ['KTS001', 'KTS010', 'KTS013', 'KTS014'],
  }),
  beta('guide-07-ami-family.yaml', { raised: [noImages], changes: 3, lint: imageCodes }),
  beta('guide-08-role.yaml', { raised: [noImages], changes: 3, lint: imageCodes }),
  beta('guide-09-selectors.yaml', {
    raised: [oldSelectors],
    changes: 5,
    lint: ['KTS001', 'KTS010', 'KTS013', 'KTS014'],
  }),
  beta('guide-10-tags.yaml', { raised: [noImages], changes: 3, lint: imageCodes }),
  beta('guide-11-disks.yaml', { raised: [noImages], changes: 3, lint: imageCodes }),
  beta('guide-12-volume-sizes.yaml', {
    raised: [noImages, noImages, noImages],
    converted: ['accepted', 'accepted', /volumeSize: Invalid value: "200Gi\+"/],
    changes: 9,
    lint: ['KTS001', 'KTS010', 'KTS013', 'KTS015'],
  }),
  beta('guide-13-metadata.yaml', { raised: [noImages], changes: 2, lint: imageCodes }),
  beta('guide-14-node-pool.yaml', {
    raised: [oldExpiry],
    changes: 3,
    lint: ['KTS001', 'KTS003', 'KTS018'],
  }),
  beta('guide-15-requirements.yaml', {
    raised: [noGroup],
    changes: 2,
    lint: ['KTS001', 'KTS018', 'KTS019'],
  }),
  beta('guide-16-strategies.yaml', {
    raised: [noGroup, noGroup, noGroup],
    changes: 6,
    lint: ['KTS001', 'KTS016', 'KTS018', 'KTS019'],
  }),
  beta('guide-17-limits.yaml', {
    raised: [noGroup],
    changes: 2,
    lint: ['KTS001', 'KTS003', 'KTS004'],
  }),
  beta('guide-18-limit-sizes.yaml', {
    raised: [noGroup, noGroup, noGroup],
    changes: 6,
    lint: ['KTS001', 'KTS004', 'KTS009'],
  }),
  beta('guide-19-disruption.yaml', {
    raised: [oldExpiry],
    changes: 3,
    lint: ['KTS001', 'KTS004', 'KTS019'],
  }),
  beta('guide-20-reasons.yaml', {
    raised: [/reasons\[2\]: Unsupported value: "UnderutilizedGPU"/],
    changes: 4,
    lint: ['KTS001', 'KTS004', 'KTS007', 'KTS019'],
  }),
  beta('guide-21-production.yaml', {
    raised: [/unknown field "spec\.template\.spec\.affinity"/],
    changes: 4,
    lint: ['KTS001', 'KTS007'],
  }),
  unchanged('guide-22-pod.yaml', 'accepted'),
  unchanged('guide-23-budget.yaml', 'accepted'),
  beta('guide-24-complete.yaml', {
    raised: [oldSelectors, oldExpiry],
    changes: 7,
    lint: ['KTS001', 'KTS003', 'KTS010', 'KTS013', 'KTS014', 'KTS018'],
  }),
  beta('notes-1-node-pool.yaml', { raised: [oldExpiry], changes: 4, lint: ['KTS001'] }),
  beta('notes-2-node-class.yaml', { raised: [noImages], changes: 3, lint: ['KTS001', 'KTS013'] }),
  settings('terraform-1-values.yaml'),
  settings('terraform-2-resources.yaml'),
  settings('terraform-3-metrics.yaml'),
  settings('terraform-4-env.yaml'),
  settings('terraform-5-log.yaml'),
  settings('terraform-6-batching.yaml'),
];
