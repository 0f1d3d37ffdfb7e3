import type {
  AmiFamily,
  EC2NodeClass,
  EC2NodeClassStatus,
} from '../../../api/karpenter/ec2-node-class.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { windowsBuild } from './ami-family.ts';

export type StatusImage = NonNullable<EC2NodeClassStatus['amis']>[number];
type RequirementTerm = StatusImage['requirements'][number];

/** A published parameter that names an image, and for which machines the image is. */
export interface ImageParameter {
  readonly name: string;
  readonly requirements: readonly RequirementTerm[];
}

type Variant = 'standard' | 'nvidia' | 'neuron';
export type Architecture = 'amd64' | 'arm64';

const familyByAlias: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

/** The family that decides user data, disks and overhead: the one stated, else that of the alias. */
export function amiFamilyOf(nodeClass: EC2NodeClass): AmiFamily {
  const alias = nodeClass.spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  const named = familyByAlias[alias?.split('@')[0] ?? ''];
  return nodeClass.spec.amiFamily ?? named ?? 'Custom';
}

/** The version in the alias, else in the name of an image that was found: `…-v1.51.0-1a2b3c4d`. */
export function imageVersionOf({ spec, status }: EC2NodeClass): string | undefined {
  const alias = spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  if (alias !== undefined) return alias.slice(alias.indexOf('@') + 1).replace(/^v/, '');
  const names = [
    ...spec.amiSelectorTerms.map((term) => term.name),
    ...(status?.amis ?? []).map((image) => image.name),
  ];
  return names.map((name) => /-v(\d+\.\d+\.\d+)/.exec(name ?? '')?.[1]).find(Boolean);
}

/** Why the alias cannot be used with this Kubernetes version; undefined when it can. */
export function unsupportedAlias(alias: string, kubernetesVersion: string): string | undefined {
  const minor = Number(kubernetesVersion.split('.')[1]);
  const family = familyByAlias[alias.split('@')[0] ?? ''];
  if (family === undefined)
    return `alias ${alias} is unknown; use one of ${Object.keys(familyByAlias).join(', ')}`;
  if (family === 'AL2' && minor >= 33)
    return `alias ${alias} ends with Kubernetes 1.32; use al2023@latest`;
  if (family === 'Windows2025' && minor < 35)
    return `alias ${alias} begins with Kubernetes 1.35; use windows2022@latest`;
  return undefined;
}

/** The parameters behind an alias such as `al2023@latest`, one per kind of machine. */
export function aliasParameters(
  alias: string,
  kubernetesVersion: string,
): readonly ImageParameter[] {
  const at = alias.indexOf('@');
  const [family, version] = [alias.slice(0, at), alias.slice(at + 1)];
  if (family === 'al2023') return al2023Parameters(kubernetesVersion, version);
  if (family === 'al2') return al2Parameters(kubernetesVersion, version);
  if (family === 'bottlerocket') return bottlerocketParameters(kubernetesVersion, version);
  if (family.startsWith('windows')) return windowsParameters(kubernetesVersion, family);
  return [];
}

/** Whether the parameter may come to name another image. */
export function isMutableAlias(alias: string): boolean {
  return alias.endsWith('@latest');
}

const eksFolder = '/aws/service/eks/optimized-ami';

function al2023Parameters(k8s: string, version: string): readonly ImageParameter[] {
  const kinds = [
    ['x86_64', 'standard'],
    ['x86_64', 'nvidia'],
    ['x86_64', 'neuron'],
    ['arm64', 'standard'],
    ['arm64', 'nvidia'],
  ] as const;
  return kinds.map(([arch, variant]) => {
    const leaf =
      version === 'latest'
        ? 'recommended'
        : `amazon-eks-node-al2023-${arch}-${variant}-${k8s}-${version}`;
    return {
      name: `${eksFolder}/${k8s}/amazon-linux-2023/${arch}/${variant}/${leaf}/image_id`,
      requirements: imageRequirements(architectureOf(arch) ?? 'amd64', variant),
    };
  });
}

function al2Parameters(k8s: string, version: string): readonly ImageParameter[] {
  const kinds = [
    ['amazon-linux-2', 'node', 'amd64', 'standard'],
    ['amazon-linux-2-arm64', 'arm64-node', 'arm64', 'standard'],
    ['amazon-linux-2-gpu', 'gpu-node', 'amd64', 'nvidia'],
    ['amazon-linux-2-gpu', 'gpu-node', 'amd64', 'neuron'],
  ] as const;
  return kinds.map(([folder, kind, arch, variant]) => {
    const leaf = version === 'latest' ? 'recommended' : `amazon-eks-${kind}-${k8s}-${version}`;
    return {
      name: `${eksFolder}/${k8s}/${folder}/${leaf}/image_id`,
      requirements: imageRequirements(arch, variant),
    };
  });
}

function bottlerocketParameters(k8s: string, version: string): readonly ImageParameter[] {
  const leaf = version.replace(/^v/, '');
  const kinds = [
    ['', 'x86_64', 'standard'],
    ['', 'x86_64', 'neuron'],
    ['', 'arm64', 'standard'],
    ['-nvidia', 'x86_64', 'nvidia'],
    ['-nvidia', 'arm64', 'nvidia'],
  ] as const;
  return kinds.map(([suffix, arch, variant]) => ({
    name: `/aws/service/bottlerocket/aws-k8s-${k8s}${suffix}/${arch}/${leaf}/image_id`,
    requirements: imageRequirements(architectureOf(arch) ?? 'amd64', variant),
  }));
}

/** One image for all machines; Windows runs on amd64 alone. */
function windowsParameters(k8s: string, alias: string): readonly ImageParameter[] {
  const family = familyByAlias[alias];
  const build = family === undefined ? undefined : windowsBuild(family);
  if (build === undefined) return [];
  const year = alias.slice('windows'.length);
  return [
    {
      name: `/aws/service/ami-windows-latest/Windows_Server-${year}-English-Core-EKS_Optimized-${k8s}/image_id`,
      requirements: [
        { key: labels.os, operator: 'In', values: ['windows'] },
        { key: labels.arch, operator: 'In', values: ['amd64'] },
        { key: labels.windowsBuild, operator: 'In', values: [build] },
      ],
    },
  ];
}

export function architectureOf(ec2Name: string | undefined): Architecture | undefined {
  if (ec2Name === 'x86_64') return 'amd64';
  return ec2Name === 'arm64' ? 'arm64' : undefined;
}

/** Sorted by length of key, then key, as the status shows them. */
export function imageRequirements(
  arch: Architecture,
  variant: Variant | undefined,
): readonly RequirementTerm[] {
  const gpu = 'karpenter.k8s.aws/instance-gpu-count';
  const accelerator = 'karpenter.k8s.aws/instance-accelerator-count';
  const terms: RequirementTerm[] = [{ key: labels.arch, operator: 'In', values: [arch] }];
  if (variant === 'standard') terms.push({ key: gpu, operator: 'DoesNotExist' });
  if (variant === 'nvidia') terms.push({ key: gpu, operator: 'Exists' });
  if (variant === 'standard') terms.push({ key: accelerator, operator: 'DoesNotExist' });
  if (variant === 'neuron') terms.push({ key: accelerator, operator: 'Exists' });
  return terms;
}
