import { aliasOf, imageFamily } from '../hash/image-family.ts';
import { annotationsOf, keptIn, withAnnotations } from './annotations.ts';
import { filled, isPlain, listAt, objectAt, omit, type Plain, pick, textAt } from './plain.ts';
import { specOf } from './template.ts';

/** Families whose newest image v1 finds by alias. */
const aliased = ['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022', 'Windows2025'];

/**
 * An EC2NodeClass of v1beta1 as v1. A family without image terms becomes an alias; Ubuntu, which
 * v1 does not know, becomes AL2 with Ubuntu's disk, and an annotation remembers it.
 */
export function ec2NodeClassToV1(beta: Plain): Plain {
  const spec = specOf(beta);
  const images = imagesToV1(beta);
  return {
    ...beta,
    apiVersion: 'karpenter.k8s.aws/v1',
    metadata: withAnnotations(beta, { [keptIn.aliasVersion]: undefined, ...images.annotations }),
    spec: {
      ...omit(spec, ['amiFamily', 'amiSelectorTerms']),
      subnetSelectorTerms: listAt(spec, 'subnetSelectorTerms'),
      securityGroupSelectorTerms: listAt(spec, 'securityGroupSelectorTerms'),
      amiSelectorTerms: listAt(spec, 'amiSelectorTerms'),
      ...images.spec,
    },
  };
}

interface Images {
  readonly spec: Plain;
  readonly annotations: Readonly<Record<string, string>>;
}

function imagesToV1(beta: Plain): Images {
  const spec = specOf(beta);
  const family = textAt(spec, 'amiFamily');
  if (family === 'Ubuntu') return ubuntuToV1(spec);
  if (!aliased.includes(family)) return { spec: { amiFamily: 'Custom' }, annotations: {} };
  if (listAt(spec, 'amiSelectorTerms').length > 0) {
    return { spec: { amiFamily: family }, annotations: {} };
  }
  const version = annotationsOf(beta)[keptIn.aliasVersion] ?? 'latest';
  const alias = `${family.toLowerCase()}@${version}`;
  return { spec: { amiSelectorTerms: [{ alias }] }, annotations: {} };
}

const ubuntuDisk = {
  deviceName: '/dev/sda1',
  rootVolume: true,
  ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' },
};

/** Without image terms there is nothing to boot: an id that exists nowhere passes the schema. */
function ubuntuToV1(spec: Plain): Images {
  const lacksDisks = !Array.isArray(spec.blockDeviceMappings);
  const lacksImages = listAt(spec, 'amiSelectorTerms').length === 0;
  const marks = [
    'amiFamily',
    ...(lacksDisks ? ['blockDeviceMappings'] : []),
    ...(lacksImages ? ['incompatible'] : []),
  ];
  return {
    spec: {
      amiFamily: 'AL2',
      ...(lacksDisks ? { blockDeviceMappings: [ubuntuDisk] } : {}),
      ...(lacksImages ? { amiSelectorTerms: [{ id: 'ami-placeholder' }] } : {}),
    },
    annotations: { [keptIn.ubuntu]: marks.join(',') },
  };
}

const v1beta1Fields = [
  'subnetSelectorTerms',
  'securityGroupSelectorTerms',
  'associatePublicIPAddress',
  'userData',
  'role',
  'instanceProfile',
  'tags',
  'instanceStorePolicy',
  'detailedMonitoring',
  'metadataOptions',
  'context',
];

/** An EC2NodeClass of v1 as v1beta1: the way back. What v1beta1 has no field for is left out. */
export function ec2NodeClassToV1beta1(nodeClass: Plain): Plain {
  const spec = specOf(nodeClass);
  const marks = ubuntuMarks(nodeClass);
  const version = aliasOf(spec)?.version ?? 'latest';
  const { isUbuntu } = marks;
  return {
    ...pick(nodeClass, ['kind']),
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    metadata: withAnnotations(nodeClass, {
      [keptIn.ubuntu]: undefined,
      [keptIn.migrated]: undefined,
      ...(version === 'latest' || marks.isIncompatible ? {} : { [keptIn.aliasVersion]: version }),
    }),
    spec: {
      ...pick(spec, v1beta1Fields),
      amiFamily: isUbuntu ? 'Ubuntu' : imageFamily(spec),
      ...(marks.isIncompatible ? {} : filled('amiSelectorTerms', imageTerms(spec))),
      ...(marks.hasOurDisks ? {} : filled('blockDeviceMappings', disks(spec))),
    },
    ...(isPlain(nodeClass.status) ? { status: statusToV1beta1(nodeClass) } : {}),
  };
}

function ubuntuMarks(nodeClass: Plain): {
  readonly isUbuntu: boolean;
  readonly hasOurDisks: boolean;
  readonly isIncompatible: boolean;
} {
  const text = annotationsOf(nodeClass)[keptIn.ubuntu];
  const marks = text?.split(',') ?? [];
  return {
    isUbuntu: text !== undefined,
    hasOurDisks: marks.includes('blockDeviceMappings'),
    isIncompatible: marks.includes('incompatible'),
  };
}

/** A term that says only what v1beta1 cannot would select everything there. */
function imageTerms(spec: Plain): readonly unknown[] {
  return listAt(spec, 'amiSelectorTerms')
    .filter((term) => textAt(term, 'alias') === '')
    .map((term) => (isPlain(term) ? pick(term, ['id', 'name', 'owner', 'tags']) : term))
    .filter((term) => !isPlain(term) || Object.keys(term).length > 0);
}

function disks(spec: Plain): readonly unknown[] {
  return listAt(spec, 'blockDeviceMappings').map((disk) =>
    isPlain(disk) && isPlain(disk.ebs)
      ? { ...disk, ebs: omit(disk.ebs, ['volumeInitializationRate']) }
      : disk,
  );
}

function statusToV1beta1(nodeClass: Plain): Plain {
  const status = objectAt(nodeClass, 'status');
  const amis = listAt(status, 'amis').map((ami) =>
    isPlain(ami) ? pick(ami, ['id', 'name', 'requirements']) : ami,
  );
  return {
    ...pick(status, ['subnets', 'securityGroups', 'instanceProfile', 'conditions']),
    ...filled('amis', amis),
  };
}
