/** Objects for the kubectl tests, as a user would write them. */

interface ContainerChange {
  readonly image?: string;
  readonly env?: readonly object[];
}

export function aDeployment(name: string, change: ContainerChange & { replicas?: number } = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: change.replicas ?? 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: 'web',
              image: change.image ?? 'nginx:1',
              ...(change.env !== undefined && { env: change.env }),
            },
            { name: 'log', image: 'logger:1' },
          ],
        },
      },
    },
  };
}

export function aPod(name: string, more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }], ...more },
  };
}

export function aNode(name: string, labels: Readonly<Record<string, string>> = {}) {
  const resources = { cpu: '4', memory: '16Gi', pods: '110', 'ephemeral-storage': '20Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { providerID: `aws:///eu-west-1a/i-${name}` },
    status: {
      capacity: resources,
      allocatable: { ...resources, cpu: '3900m' },
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready to serve' },
      ],
      addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
      nodeInfo: {
        architecture: 'arm64',
        bootID: '',
        containerRuntimeVersion: 'containerd://2.0.0',
        kernelVersion: '6.1.0',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Bottlerocket OS',
        systemUUID: '',
      },
    },
  };
}

export const runningStatus = {
  phase: 'Running',
  startTime: '2026-01-01T00:00:00Z',
  podIP: '10.1.2.3',
  podIPs: [{ ip: '10.1.2.3' }],
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'PodScheduled', status: 'True' },
  ],
  containerStatuses: [
    {
      name: 'web',
      image: 'nginx:1',
      imageID: '',
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    },
  ],
};

export const thingDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things', singular: 'thing', shortNames: ['th'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          {
            name: 'Ready',
            type: 'string',
            jsonPath: '.status.conditions[?(@.type=="Ready")].status',
          },
          {
            name: 'Capacity',
            type: 'string',
            priority: 1,
            jsonPath: '.metadata.labels.karpenter\\.sh/capacity-type',
          },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A thing to test with.',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, description: 'How large it is.' },
                  colour: { type: 'string', default: 'grey' },
                },
              },
              status: {
                type: 'object',
                properties: {
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { type: { type: 'string' }, status: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
