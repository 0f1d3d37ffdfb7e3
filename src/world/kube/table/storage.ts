import { type Json, listAt, objectAt, valueAt } from '../json.ts';
import { orElse, wordAt } from './cell-value.ts';
import { ageColumn, type ColumnRule, integer, nameColumn, text, truth, wide } from './column.ts';

export const persistentVolumeClaimColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Status', 'Phase of the claim.', phaseCell),
  text('Volume', 'Volume it is bound to.', (claim) => wordAt(claim, 'spec', 'volumeName')),
  text('Capacity', 'Size of that volume.', (claim) =>
    isBound(claim) ? orElse(wordAt(claim, 'status', 'capacity', 'storage'), '0') : '',
  ),
  text('Access Modes', 'How that volume may be mounted.', (claim) =>
    isBound(claim) ? accessModes(listAt(claim, 'status', 'accessModes')) : '',
  ),
  text('StorageClass', 'Class asked for.', storageClassCell),
  attributesClassColumn(),
  ageColumn,
  volumeModeColumn(),
];

export const persistentVolumeColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Capacity', 'Size of the volume.', (volume) =>
    orElse(wordAt(volume, 'spec', 'capacity', 'storage'), '0'),
  ),
  text('Access Modes', 'How it may be mounted.', (volume) =>
    accessModes(listAt(volume, 'spec', 'accessModes')),
  ),
  text('Reclaim Policy', 'What happens to it after its claim.', (volume) =>
    wordAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
  ),
  text('Status', 'Phase of the volume.', phaseCell),
  text('Claim', 'Claim it is bound to.', claimCell),
  text('StorageClass', 'Class it belongs to.', storageClassCell),
  attributesClassColumn(),
  text('Reason', 'Why it is in that phase.', (volume) => wordAt(volume, 'status', 'reason')),
  ageColumn,
  volumeModeColumn(),
];

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

export const storageClassColumns: readonly ColumnRule[] = [
  {
    ...nameColumn,
    cell: (object) => {
      const name = wordAt(object, 'metadata', 'name');
      const isDefault = objectAt(object, 'metadata', 'annotations')[defaultClass] === 'true';
      return isDefault ? `${name} (default)` : name;
    },
  },
  text('Provisioner', 'Driver that makes the volumes.', (object) => wordAt(object, 'provisioner')),
  text('ReclaimPolicy', 'What happens to a volume after its claim.', (object) =>
    orElse(wordAt(object, 'reclaimPolicy'), 'Delete'),
  ),
  text('VolumeBindingMode', 'When volumes are made.', (object) =>
    orElse(wordAt(object, 'volumeBindingMode'), 'Immediate'),
  ),
  text(
    'AllowVolumeExpansion',
    'Whether volumes may grow.',
    (object) => valueAt(object, 'allowVolumeExpansion') === true,
  ),
  ageColumn,
];

export const volumeAttachmentColumns: readonly ColumnRule[] = [
  nameColumn,
  { ...specText('Attacher', 'Driver that attaches.', 'attacher'), format: 'name' },
  text('PV', 'Volume being attached.', (object) =>
    wordAt(object, 'spec', 'source', 'persistentVolumeName'),
  ),
  specText('Node', 'Node it is attached to.', 'nodeName'),
  truth(
    'Attached',
    'Whether it is attached by now.',
    (object) => valueAt(object, 'status', 'attached') === true,
  ),
  ageColumn,
];

export const csiNodeColumns: readonly ColumnRule[] = [
  nameColumn,
  integer(
    'Drivers',
    'Storage drivers on the node.',
    (object) => listAt(object, 'spec', 'drivers').length,
  ),
  ageColumn,
];

export const csiDriverColumns: readonly ColumnRule[] = [
  nameColumn,
  truth(
    'AttachRequired',
    'Whether volumes must be attached.',
    (object) => valueAt(object, 'spec', 'attachRequired') !== false,
  ),
  specTruth('PodInfoOnMount', 'Whether it is told about the pod.', 'podInfoOnMount'),
  specTruth('StorageCapacity', 'Whether it publishes what is left.', 'storageCapacity'),
  text('TokenRequests', 'Audiences of the tokens it wants.', (object) => {
    const requests = valueAt(object, 'spec', 'tokenRequests');
    if (!Array.isArray(requests)) return '<unset>';
    return requests.map((request) => wordAt(request, 'audience')).join(',');
  }),
  specTruth('RequiresRepublish', 'Whether it is called again and again.', 'requiresRepublish'),
  text('Modes', 'Life cycles of its volumes.', (object) =>
    orElse(listAt(object, 'spec', 'volumeLifecycleModes').join(','), '<none>'),
  ),
  ageColumn,
];

function specText(name: string, description: string, field: string): ColumnRule {
  return text(name, description, (object) => wordAt(object, 'spec', field));
}

function specTruth(name: string, description: string, field: string): ColumnRule {
  return truth(name, description, (object) => valueAt(object, 'spec', field) === true);
}

function attributesClassColumn(): ColumnRule {
  return text('VolumeAttributesClass', 'Class of its performance.', (object) =>
    orElse(wordAt(object, 'spec', 'volumeAttributesClassName'), '<unset>'),
  );
}

function volumeModeColumn(): ColumnRule {
  return wide(
    text('VolumeMode', 'File system or raw block device.', (object) =>
      orElse(wordAt(object, 'spec', 'volumeMode'), '<unset>'),
    ),
  );
}

function phaseCell(object: Json | undefined): string {
  const isDeleted = wordAt(object, 'metadata', 'deletionTimestamp') !== '';
  return isDeleted ? 'Terminating' : wordAt(object, 'status', 'phase');
}

function isBound(claim: Json | undefined): boolean {
  return wordAt(claim, 'spec', 'volumeName') !== '';
}

function storageClassCell(object: Json | undefined): string {
  const annotations = objectAt(object, 'metadata', 'annotations');
  const legacy = annotations['volume.beta.kubernetes.io/storage-class'];
  return legacy === undefined ? wordAt(object, 'spec', 'storageClassName') : String(legacy);
}

function claimCell(volume: Json | undefined): string {
  const claim = valueAt(volume, 'spec', 'claimRef');
  return claim === undefined ? '' : `${wordAt(claim, 'namespace')}/${wordAt(claim, 'name')}`;
}

const modeLetters = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: readonly Json[]): string {
  return modeLetters
    .filter(([mode]) => modes.includes(mode))
    .map(([, letters]) => letters)
    .join(',');
}
