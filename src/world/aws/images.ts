import { stableDigits, stableId } from './stable-id.ts';

/** A machine image of the account's region, as DescribeImages shows it. */
export interface Image {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ownerId: string;
  readonly ownerAlias: 'amazon';
  readonly architecture: 'x86_64' | 'arm64';
  /** Given for Windows alone, as EC2 does. */
  readonly platform?: 'windows' | undefined;
  readonly createdAtMs: number;
  readonly deprecatedAtMs: number;
  readonly rootDeviceName: string;
  /** The device that kubelet keeps images and volumes on; the root device, or its neighbour. */
  readonly dataDeviceName: string;
  readonly volumes: readonly { readonly deviceName: string; readonly sizeGiB: number }[];
}

export interface SsmParameter {
  readonly name: string;
  readonly value: string;
  readonly modifiedAtMs: number;
}

export interface PublishedImages {
  readonly images: readonly Image[];
  readonly parameters: readonly SsmParameter[];
}

const kubernetesVersions = Array.from({ length: 9 }, (_, index) => `1.${28 + index}`);

/** The older release stays, so that a pinned version and a drift to the newer one can be shown. */
const releases = [
  { version: 'v20261009', bottlerocket: '1.50.0', dayMs: Date.UTC(2026, 9, 9, 3, 12) },
  { version: 'v20261106', bottlerocket: '1.51.0', dayMs: Date.UTC(2026, 10, 6, 3, 12) },
] as const;
const latest = releases[1];

type Release = (typeof releases)[number];

/** The images that EKS and Bottlerocket publish in a region, with the parameters that name them. */
export function publishedImages(region: string): PublishedImages {
  const published = kubernetesVersions.flatMap((version) =>
    releases.flatMap((release) => [
      ...amazonLinux2023(region, version, release),
      // Amazon Linux 2 ended with Kubernetes 1.32.
      ...(Number(version.slice(2)) <= 32 ? amazonLinux2(region, version, release) : []),
      ...bottlerocket(region, version, release),
      ...windows(region, version, release),
    ]),
  );
  return {
    images: published.map((entry) => entry.image),
    parameters: published.flatMap((entry) =>
      entry.parameters.map((name) => ({
        name,
        value: entry.image.id,
        modifiedAtMs: entry.image.createdAtMs,
      })),
    ),
  };
}

interface Published {
  readonly image: Image;
  readonly parameters: readonly string[];
}

function amazonLinux2023(region: string, version: string, release: Release): readonly Published[] {
  const variants = [
    ['x86_64', 'standard'],
    ['x86_64', 'nvidia'],
    ['x86_64', 'neuron'],
    ['arm64', 'standard'],
    ['arm64', 'nvidia'],
  ] as const;
  return variants.map(([architecture, variant]) => {
    const name = `amazon-eks-node-al2023-${architecture}-${variant}-${version}-${release.version}`;
    const folder = `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/${architecture}/${variant}`;
    return {
      image: linuxImage(region, { name, architecture, release }),
      parameters: [name, ...(release === latest ? ['recommended'] : [])].map(
        (leaf) => `${folder}/${leaf}/image_id`,
      ),
    };
  });
}

function amazonLinux2(region: string, version: string, release: Release): readonly Published[] {
  const variants = [
    ['x86_64', 'amazon-linux-2', 'amazon-eks-node'],
    ['arm64', 'amazon-linux-2-arm64', 'amazon-eks-arm64-node'],
    ['x86_64', 'amazon-linux-2-gpu', 'amazon-eks-gpu-node'],
  ] as const;
  return variants.map(([architecture, folder, prefix]) => {
    const name = `${prefix}-${version}-${release.version}`;
    return {
      image: linuxImage(region, { name, architecture, release }),
      parameters: [name, ...(release === latest ? ['recommended'] : [])].map(
        (leaf) => `/aws/service/eks/optimized-ami/${version}/${folder}/${leaf}/image_id`,
      ),
    };
  });
}

function bottlerocket(region: string, version: string, release: Release): readonly Published[] {
  const architectures = ['x86_64', 'arm64'] as const;
  return ['', '-nvidia'].flatMap((variant) =>
    architectures.map((architecture) => {
      const family = `aws-k8s-${version}${variant}`;
      const build = stableDigits(`${family}/${release.bottlerocket}`, 8);
      const machine = architecture === 'arm64' ? 'aarch64' : architecture;
      const name = `bottlerocket-${family}-${machine}-v${release.bottlerocket}-${build}`;
      return {
        image: {
          ...linuxImage(region, { name, architecture, release }),
          ownerId: '092701018921',
          dataDeviceName: '/dev/xvdb',
          volumes: [
            { deviceName: '/dev/xvda', sizeGiB: 2 },
            { deviceName: '/dev/xvdb', sizeGiB: 20 },
          ],
        },
        parameters: [release.bottlerocket, ...(release === latest ? ['latest'] : [])].map(
          (leaf) => `/aws/service/bottlerocket/${family}/${architecture}/${leaf}/image_id`,
        ),
      };
    }),
  );
}

function windows(region: string, version: string, release: Release): readonly Published[] {
  const years = ['2019', '2022', ...(Number(version.slice(2)) >= 35 ? ['2025'] : [])];
  return years.map((year) => {
    const family = `Windows_Server-${year}-English-Core-EKS_Optimized-${version}`;
    const day = release.version.slice(1);
    const name = `${family}-${day.slice(0, 4)}.${day.slice(4, 6)}.${day.slice(6)}`;
    const device = '/dev/sda1';
    return {
      image: {
        ...linuxImage(region, { name, architecture: 'x86_64', release }),
        ownerId: '801119661308',
        platform: 'windows',
        rootDeviceName: device,
        dataDeviceName: device,
        volumes: [{ deviceName: device, sizeGiB: 50 }],
      },
      // Windows has no parameter for an older release.
      parameters: release === latest ? [`/aws/service/ami-windows-latest/${family}/image_id`] : [],
    };
  });
}

const twoYearsMs = 2 * 365 * 24 * 3_600_000;

function linuxImage(
  region: string,
  of: {
    readonly name: string;
    readonly architecture: Image['architecture'];
    readonly release: Release;
  },
): Image {
  return {
    id: stableId('ami', `${region}/${of.name}`),
    name: of.name,
    description: `EKS-optimized Kubernetes node, ${of.architecture}`,
    ownerId: '602401143452',
    ownerAlias: 'amazon',
    architecture: of.architecture,
    createdAtMs: of.release.dayMs,
    deprecatedAtMs: of.release.dayMs + twoYearsMs,
    rootDeviceName: '/dev/xvda',
    dataDeviceName: '/dev/xvda',
    volumes: [{ deviceName: '/dev/xvda', sizeGiB: 20 }],
  };
}
