import { keptIn, withAnnotations } from './annotations.ts';
import {
  field,
  filled,
  isPlain,
  listAt,
  objectAt,
  omit,
  type Plain,
  pick,
  textAt,
} from './plain.ts';
import {
  keptOf,
  kubeletToV1beta1,
  refToV1,
  refToV1beta1,
  requirements,
  specOf,
} from './template.ts';

/**
 * A NodePool of v1beta1 as v1. Expiry moves into the template, `WhenUnderutilized` gets its new
 * name, the kubelet settings go into an annotation. What v1beta1 defaults must be there already.
 */
export function nodePoolToV1(beta: Plain): Plain {
  const spec = specOf(beta);
  const templateSpec = objectAt(spec, 'template', 'spec');
  return {
    ...beta,
    apiVersion: 'karpenter.sh/v1',
    metadata: withAnnotations(beta, keptOf(templateSpec)),
    spec: {
      ...spec,
      template: templateToV1(spec),
      disruption: disruptionToV1(objectAt(spec, 'disruption')),
    },
  };
}

function templateToV1(spec: Plain): Plain {
  const template = objectAt(spec, 'template');
  const templateSpec = objectAt(template, 'spec');
  const expireAfter = textAt(spec, 'disruption', 'expireAfter') || 'Never';
  return {
    ...template,
    spec: {
      ...omit(templateSpec, ['kubelet', 'resources']),
      ...requirements(templateSpec),
      nodeClassRef: refToV1(templateSpec.nodeClassRef),
      expireAfter,
    },
  };
}

function disruptionToV1(disruption: Plain): Plain {
  const isUnderutilized = disruption.consolidationPolicy === 'WhenUnderutilized';
  return {
    ...omit(disruption, ['expireAfter']),
    ...(isUnderutilized ? { consolidationPolicy: 'WhenEmptyOrUnderutilized' } : {}),
    consolidateAfter: isUnderutilized ? '0s' : textAt(disruption, 'consolidateAfter') || 'Never',
  };
}

/** A NodePool of v1 as v1beta1: the way back. What v1beta1 has no field for is left out. */
export function nodePoolToV1beta1(pool: Plain): Plain {
  const spec = specOf(pool);
  const status = pick(objectAt(pool, 'status'), ['resources', 'conditions']);
  return {
    ...pick(pool, ['kind']),
    apiVersion: 'karpenter.sh/v1beta1',
    metadata: withAnnotations(pool, {
      [keptIn.kubelet]: undefined,
      [keptIn.nodeClassRef]: undefined,
      [keptIn.migrated]: undefined,
    }),
    spec: {
      ...pick(spec, ['limits', 'weight']),
      template: templateToV1beta1(pool),
      disruption: disruptionToV1beta1(spec),
    },
    ...(isPlain(pool.status) ? { status } : {}),
  };
}

function templateToV1beta1(pool: Plain): Plain {
  const template = objectAt(pool, 'spec', 'template');
  const spec = objectAt(template, 'spec');
  return {
    ...pick(template, ['metadata']),
    spec: {
      ...pick(spec, ['taints', 'startupTaints']),
      ...requirements(spec),
      ...kubeletToV1beta1(pool),
      nodeClassRef: refToV1beta1(pool, spec.nodeClassRef),
    },
  };
}

/** v1beta1 knows two policies; `Balanced` is nearest to the one that removes underused nodes. */
const v1beta1Policy: Readonly<Record<string, string>> = {
  WhenEmptyOrUnderutilized: 'WhenUnderutilized',
  Balanced: 'WhenUnderutilized',
};

function disruptionToV1beta1(spec: Plain): Plain {
  const disruption = objectAt(spec, 'disruption');
  const given = textAt(disruption, 'consolidationPolicy');
  const policy = v1beta1Policy[given] ?? given;
  const consolidateAfter =
    policy === 'WhenUnderutilized' ? undefined : textAt(disruption, 'consolidateAfter') || 'Never';
  const budgets = listAt(disruption, 'budgets').map((budget) =>
    isPlain(budget) ? pick(budget, ['nodes', 'schedule', 'duration']) : budget,
  );
  return {
    ...field('consolidateAfter', consolidateAfter),
    ...field('consolidationPolicy', policy),
    expireAfter: textAt(spec, 'template', 'spec', 'expireAfter') || 'Never',
    ...filled('budgets', budgets),
  };
}
