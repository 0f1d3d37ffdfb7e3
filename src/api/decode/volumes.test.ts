import { describe, expect, test } from 'vitest';
import { termsOf } from '../../core/requirements/requirements.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { PodObject } from '../kubernetes/core.ts';
import type { StorageClassObject, VolumeClaimObject, VolumeObject } from '../kubernetes/volume.ts';
import { decodePod } from './pod.ts';
import { attachLimitsOf, resolveVolumes, type VolumeLookups } from './volumes.ts';

const ebsZone = 'topology.ebs.csi.aws.com/zone';

function pod(...claims: readonly string[]): PodObject {
  const volumes = claims.map((claimName) => ({
    name: claimName,
    persistentVolumeClaim: { claimName },
  }));
  return { metadata: { name: 'db-0', namespace: 'shop' }, spec: { containers: [], volumes } };
}

function bound(name: string, volumeName: string): VolumeClaimObject {
  return { metadata: { name }, spec: { volumeName }, status: { phase: 'Bound' } };
}

function unbound(name: string, storageClassName?: string): VolumeClaimObject {
  return {
    metadata: { name },
    spec: storageClassName === undefined ? {} : { storageClassName },
    status: { phase: 'Pending' },
  };
}

function volumeIn(name: string, ...zones: readonly string[]): VolumeObject {
  const nodeSelectorTerms = zones.map((zone) => ({
    matchExpressions: [{ key: ebsZone, operator: 'In' as const, values: [zone] }],
  }));
  return {
    metadata: { name },
    spec: { csi: { driver: 'ebs.csi.aws.com' }, nodeAffinity: { required: { nodeSelectorTerms } } },
  };
}

function storageClass(wish: Partial<StorageClassObject> = {}): StorageClassObject {
  return {
    metadata: { name: 'gp3' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...wish,
  };
}

interface Stored {
  readonly claims?: readonly VolumeClaimObject[];
  readonly volumes?: readonly VolumeObject[];
  readonly classes?: readonly StorageClassObject[];
}

function lookups({ claims = [], volumes = [], classes = [] }: Stored): VolumeLookups {
  const named = <T extends { readonly metadata: { readonly name: string } }>(
    all: readonly T[],
    name: string,
  ): T | undefined => all.find((one) => one.metadata.name === name);
  return {
    claim: (namespace, name) => (namespace === 'shop' ? named(claims, name) : undefined),
    volume: (name) => named(volumes, name),
    storageClass: (name) => named(classes, name),
  };
}

function places(object: PodObject, stored: Stored): unknown {
  const resolved = resolveVolumes(object, lookups(stored));
  if (resolved === undefined || 'problem' in resolved) return resolved;
  return resolved.alternatives.map((one) =>
    termsOf(one)
      .map(({ key, values = [] }) => `${key}=${values.join()}`)
      .join(' '),
  );
}

test('a pod without claims is held nowhere', () => {
  expect(resolveVolumes(pod(), lookups({}))).toBeUndefined();
});

describe('a bound volume', () => {
  test('holds the pod in its zone, by the label that nodes of any age carry', () => {
    const stored = { claims: [bound('data', 'pv')], volumes: [volumeIn('pv', 'us-east-1a')] };
    expect(places(pod('data'), stored)).toEqual([`${labels.zone}=us-east-1a`]);
  });

  test('with several terms leaves a choice, which further volumes narrow', () => {
    const stored = {
      claims: [bound('data', 'pv'), bound('logs', 'pv2')],
      volumes: [volumeIn('pv', 'a', 'b'), volumeIn('pv2', 'b', 'c')],
    };
    expect(places(pod('data', 'logs'), stored)).toEqual([`${labels.zone}=b`]);
  });

  test('of an older kind tells its zones by its labels', () => {
    const volume: VolumeObject = {
      metadata: { name: 'pv', labels: { 'failure-domain.beta.kubernetes.io/zone': 'a__b' } },
      spec: { awsElasticBlockStore: {} },
    };
    const stored = { claims: [bound('data', 'pv')], volumes: [volume] };
    expect(places(pod('data'), stored)).toEqual([`${labels.zone}=a,b`]);
    expect(resolveVolumes(pod('data'), lookups(stored))).toMatchObject({
      attachments: { 'ebs.csi.aws.com': ['shop/data'] },
    });
  });

  test('on a host’s own disk does not hold the pod to that host', () => {
    const volume: VolumeObject = {
      metadata: { name: 'pv' },
      spec: {
        local: {},
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: labels.hostname, operator: 'In', values: ['n1'] }] },
            ],
          },
        },
      },
    };
    expect(places(pod('data'), { claims: [bound('data', 'pv')], volumes: [volume] })).toEqual(['']);
  });
});

describe('an unbound claim', () => {
  test('goes where its storage class can make a volume', () => {
    const zones = (...values: readonly string[]) => ({
      matchLabelExpressions: [{ key: ebsZone, values }],
    });
    const stored = {
      claims: [unbound('data', 'gp3')],
      classes: [storageClass({ allowedTopologies: [zones('a', 'b'), zones('c')] })],
    };
    expect(places(pod('data'), stored)).toEqual([`${labels.zone}=a,b`, `${labels.zone}=c`]);
  });

  test('goes anywhere with a class that does not say', () => {
    const stored = { claims: [unbound('data', 'gp3')], classes: [storageClass()] };
    expect(places(pod('data'), stored)).toEqual(['']);
  });

  test('is attached by the driver that took over from the class’s provisioner', () => {
    const classes = [storageClass({ provisioner: 'kubernetes.io/aws-ebs' })];
    const resolved = resolveVolumes(
      pod('data'),
      lookups({ claims: [unbound('data', 'gp3')], classes }),
    );
    expect(resolved).toMatchObject({ attachments: { 'ebs.csi.aws.com': ['shop/data'] } });
  });

  test('of an ephemeral volume goes by the names of pod and volume', () => {
    const object: PodObject = {
      metadata: { name: 'db-0', namespace: 'shop' },
      spec: { containers: [], volumes: [{ name: 'scratch', ephemeral: {} }] },
    };
    expect(places(object, {})).toEqual({
      problem: 'persistentVolumeClaim shop/db-0-scratch does not exist',
    });
    const stored = { claims: [unbound('db-0-scratch', 'gp3')], classes: [storageClass()] };
    expect(places(object, stored)).toEqual(['']);
  });

  test('of an ephemeral volume must be the pod’s own, whatever its name', () => {
    const object: PodObject = {
      metadata: { name: 'db-0', namespace: 'shop', uid: 'u1' },
      spec: { containers: [], volumes: [{ name: 'scratch', ephemeral: {} }] },
    };
    const claimOf = (uid: string): VolumeClaimObject => {
      const owner = { apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid, controller: true };
      const claim = unbound('db-0-scratch', 'gp3');
      return { ...claim, metadata: { ...claim.metadata, ownerReferences: [owner] } };
    };
    const classes = [storageClass()];
    expect(places(object, { claims: [claimOf('u1')], classes })).toEqual(['']);
    expect(places(object, { claims: [claimOf('u0')], classes })).toEqual({
      problem: 'persistentVolumeClaim shop/db-0-scratch was made for something else than this pod',
    });
  });

  test('whose volume is being made for a node holds the pod to that node', () => {
    const claim = unbound('data', 'gp3');
    const annotations = { 'volume.kubernetes.io/selected-node': 'n1' };
    const claims = [{ ...claim, metadata: { ...claim.metadata, annotations } }];
    expect(places(pod('data'), { claims, classes: [storageClass()] })).toEqual([
      'metadata.name=n1',
    ]);
  });

  test('for one pod at a time is told of', () => {
    const claim = unbound('data', 'gp3');
    const accessModes = ['ReadWriteOncePod'];
    const claims = [{ ...claim, spec: { ...claim.spec, accessModes } }, unbound('logs', 'gp3')];
    const resolved = resolveVolumes(
      pod('data', 'logs'),
      lookups({ claims, classes: [storageClass()] }),
    );
    expect(resolved).toMatchObject({ exclusive: ['shop/data'] });
  });
});

describe('a pod is refused with the reason', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  test.each<Stored & { readonly reason: string }>([
    { reason: 'does not exist' },
    {
      claims: [{ metadata: { name: 'data', deletionTimestamp } }],
      reason: 'is being deleted',
    },
    {
      claims: [{ metadata: { name: 'data' }, status: { phase: 'Lost' } }],
      reason: 'has lost its volume',
    },
    { claims: [bound('data', 'pv')], reason: 'is bound to pv, which does not exist' },
    {
      claims: [bound('data', 'pv')],
      volumes: [{ metadata: { name: 'pv', deletionTimestamp } }],
      reason: 'is bound to pv, which is being deleted',
    },
    {
      claims: [{ metadata: { name: 'data' }, spec: { volumeName: 'pv' } }],
      volumes: [volumeIn('pv', 'a')],
      reason: 'is not bound to pv yet',
    },
    { claims: [unbound('data')], reason: 'is not bound and names no storage class' },
    {
      claims: [unbound('data', 'gp3')],
      reason: 'names storage class gp3, which does not exist',
    },
    {
      claims: [unbound('data', 'gp3')],
      classes: [storageClass({ volumeBindingMode: 'Immediate' })],
      reason: 'waits for its volume, which storage class gp3 makes before pods are placed',
    },
  ])('the claim $reason', ({ reason, ...stored }) => {
    expect(decodePod(pod('data'), { volumes: lookups(stored) }).invalid).toEqual([
      `persistentVolumeClaim shop/data ${reason}`,
    ]);
  });

  test('its volumes are in different zones', () => {
    const stored = {
      claims: [bound('data', 'pv'), bound('logs', 'pv2')],
      volumes: [volumeIn('pv', 'a'), volumeIn('pv2', 'b')],
    };
    expect(places(pod('data', 'logs'), stored)).toEqual({
      problem: 'no node can reach all of its volumes: data, logs',
    });
  });
});

test('a node attaches as many volumes as its drivers say', () => {
  const drivers = [{ name: 'ebs.csi.aws.com', allocatable: { count: 26 } }, { name: 'efs' }];
  expect(attachLimitsOf({ metadata: { name: 'n' }, spec: { drivers } })).toEqual({
    'ebs.csi.aws.com': 26,
  });
  expect(attachLimitsOf(undefined)).toBeUndefined();
});
