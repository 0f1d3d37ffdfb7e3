import { bareQuantity, quantityPattern } from '../schema/patterns.ts';
import {
  described,
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
  return { rule: `self.all(x, x in [${keys}])`, message: `the keys of ${field} are ${keys}` };
}

function reserved(field: string, sentence: string) {
  return described(
    sentence,
    ruled(map(text({ pattern: quantityPattern })), keysWithin(field, reservedKeys), {
      rule: "self.all(x, !self[x].startsWith('-'))",
      message: `a quantity in ${field} may not be negative`,
    }),
  );
}

const thresholdPattern = `^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||${bareQuantity})$`;

function eviction(field: string, sentence: string, values = text()) {
  return described(sentence, ruled(map(values), keysWithin(field, evictionKeys)));
}

/** Settings of the kubelet that decide how much of a machine pods may use. */
export const kubeletSettings = ruled(
  described(
    'Settings of the kubelet. They decide how much of a machine pods may use.',
    object({
      clusterDNS: optional(described('Addresses of the DNS servers of pods.', list(text()))),
      maxPods: optional(
        described(
          'The most pods on a machine. Without it the network decides.',
          int32({ minimum: 0 }),
        ),
      ),
      podsPerCore: optional(
        described('The most pods for each core; 0 sets no limit.', int32({ minimum: 0 })),
      ),
      systemReserved: optional(
        reserved('systemReserved', 'What is kept back for the operating system.'),
      ),
      kubeReserved: optional(
        reserved('kubeReserved', 'What is kept back for the kubelet and the container runtime.'),
      ),
      evictionHard: optional(
        eviction(
          'evictionHard',
          'What must stay free; below it pods are evicted at once.',
          text({ pattern: thresholdPattern }),
        ),
      ),
      evictionSoft: optional(
        eviction(
          'evictionSoft',
          'What should stay free; below it pods are evicted after a while.',
          text({ pattern: thresholdPattern }),
        ),
      ),
      evictionSoftGracePeriod: optional(
        eviction('evictionSoftGracePeriod', 'That while, for each key of evictionSoft.'),
      ),
      evictionMaxPodGracePeriod: optional(
        described('The most seconds a pod gets to end in a soft eviction.', int32()),
      ),
      imageGCHighThresholdPercent: optional(
        described(
          'How full the disk must be before unused images are removed.',
          int32({ minimum: 0, maximum: 100 }),
        ),
      ),
      imageGCLowThresholdPercent: optional(
        described(
          'How full the disk may be once they were removed.',
          int32({ minimum: 0, maximum: 100 }),
        ),
      ),
      cpuCFSQuota: optional(described('Whether CPU limits of containers are enforced.', flag())),
    }),
  ),
  {
    rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
    message: 'imageGCHighThresholdPercent must be above imageGCLowThresholdPercent',
  },
  sameKeys('evictionSoft', 'evictionSoftGracePeriod'),
  sameKeys('evictionSoftGracePeriod', 'evictionSoft'),
);

function sameKeys(field: string, other: string): Rule {
  return {
    rule: `!has(self.${field}) || self.${field}.all(e, has(self.${other}) && e in self.${other})`,
    message: `each key of ${field} must also be in ${other}`,
  };
}
