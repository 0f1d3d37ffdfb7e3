import { objectAt } from '../json.ts';
import { filled, type KindRules } from './rules.ts';

export const networkPolicyRules: KindRules = {
  hasGeneration: true,
  defaults: (object) => {
    const spec = objectAt(object, 'spec');
    const policyTypes = spec.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
    return { ...object, spec: filled(spec, { podSelector: {}, policyTypes }) };
  },
};

export const ingressRules: KindRules = {
  hasGeneration: true,
  onCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
};
