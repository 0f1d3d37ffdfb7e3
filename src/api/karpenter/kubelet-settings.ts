import {
  flag,
  int32,
  list,
  map,
  object,
  optional,
  type Rule,
  ruled,
  text,
} from '../schema/vocabulary.ts';

const reservedKeys = "'cpu', 'memory', 'ephemeral-storage', 'pid'";
const evictionKeys =
  "'memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree', 'pid.available'";

function keysWithin(field: string, keys: string): Rule {
  return { rule: `self.all(x, x in [${keys}])`, message: `valid keys for ${field} are [${keys}]` };
}

function reserved(field: string) {
  return ruled(map(text()), keysWithin(field, reservedKeys), {
    rule: "self.all(x, !self[x].startsWith('-'))",
    message: `${field} value cannot be a negative resource quantity`,
  });
}

function eviction(field: string) {
  return ruled(map(text()), keysWithin(field, evictionKeys));
}

/** Settings of the kubelet that decide how much of a machine pods may use. */
export const kubeletSettings = ruled(
  object({
    clusterDNS: optional(list(text())),
    maxPods: optional(int32({ minimum: 0 })),
    podsPerCore: optional(int32({ minimum: 0 })),
    systemReserved: optional(reserved('systemReserved')),
    kubeReserved: optional(reserved('kubeReserved')),
    evictionHard: optional(eviction('evictionHard')),
    evictionSoft: optional(eviction('evictionSoft')),
    evictionSoftGracePeriod: optional(eviction('evictionSoftGracePeriod')),
    evictionMaxPodGracePeriod: optional(int32()),
    imageGCHighThresholdPercent: optional(int32({ minimum: 0, maximum: 100 })),
    imageGCLowThresholdPercent: optional(int32({ minimum: 0, maximum: 100 })),
    cpuCFSQuota: optional(flag()),
  }),
  {
    rule: 'has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ? self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent : true',
    message: 'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
  },
  {
    rule: 'has(self.evictionSoft) ? self.evictionSoft.all(e, has(self.evictionSoftGracePeriod) && e in self.evictionSoftGracePeriod) : true',
    message: 'evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod',
  },
  {
    rule: 'has(self.evictionSoftGracePeriod) ? self.evictionSoftGracePeriod.all(e, has(self.evictionSoft) && e in self.evictionSoft) : true',
    message: 'evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft',
  },
);
