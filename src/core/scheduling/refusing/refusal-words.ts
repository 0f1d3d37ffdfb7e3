import type { NearMiss } from '../../explain/reason.ts';
import { labelWord } from '../../explain/remedy-text.ts';
import { amountWords, shortList, taintText } from '../../explain/words.ts';
import type { Trial } from './near-miss.ts';
import type { Obstacle } from './refusal-obstacle.ts';

/** What came closest, and everything that it lacks. */
export function nearMissOf({ type, offering, nodeName, obstacles }: Trial): NearMiss {
  const how = offering === undefined ? '' : `, ${offering.capacityType} in ${offering.zone}`;
  return { name: nodeName ?? `${type?.name ?? ''}${how}`, lacks: obstacles.map(lackText) };
}

/** `cpu is 0.1 cores short`: one thing in the way, told of the place. */
function lackText(obstacle: Obstacle): string {
  const { constraint, key, value, asked = 0, has = 0 } = obstacle;
  const where = value === undefined ? labelWord(key) : `${labelWord(key)} ${value}`;
  switch (constraint) {
    case 'pool-requirements':
      return value === undefined ? `the pool's rule on ${key}` : `the pool does not allow ${where}`;
    case 'node-labels':
      return value === undefined
        ? `it has no fitting ${labelWord(key)}`
        : `the pod does not allow ${where}`;
    case 'taints':
      return `the taint ${shortList((obstacle.taints ?? []).map(taintText), 3)} is not tolerated`;
    case 'volumes':
      return `the pod's volumes are not in ${where}`;
    case 'spread':
      if (obstacle.isUnlabelled) return `it has no ${labelWord(key)} to spread the pod over`;
      return `the pod's spread over ${labelWord(key)} has no room there`;
    case 'affinity':
      if (obstacle.isUnlabelled) return `it has no ${labelWord(key)} to have other pods in`;
      return `no pod that it must be with is there (${labelWord(key)})`;
    case 'anti-affinity':
      return obstacle.isOthers === true
        ? `a pod there keeps it away (${labelWord(key)})`
        : `a pod that it avoids is there (${labelWord(key)})`;
    case 'size':
      return obstacle.isOthers === true
        ? `${key} is ${amountWords(key, asked - has)} short for its daemons`
        : `${key} is ${amountWords(key, asked - has)} short`;
    case 'host-ports':
      return `host port ${shortList(
        (obstacle.ports ?? []).map(({ port }) => String(port)),
        3,
      )} is taken`;
    case 'attachments':
      return `no more volumes of ${key} can be attached`;
    case 'capacity':
      return 'the cloud has none just now';
    case 'limits':
      return (obstacle.limits ?? [])
        .map(
          ({ resource, limit, used, adds }) =>
            `the pool's ${resource} limit is ${amountWords(resource, used + adds - limit)} short`,
        )
        .join(' and ');
    case 'min-values':
      return `it offers ${has} values of ${key} where minValues asks for ${asked}`;
  }
}
