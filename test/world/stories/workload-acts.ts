import { capacityBuffers } from '../../../src/api/karpenter/capacity-buffer.ts';
import { daemonSets, pods } from '../../../src/api/kubernetes/core.ts';
import {
  deployments,
  jobs,
  podTemplates,
  statefulSets,
} from '../../../src/api/kubernetes/workload.ts';
import { type Act, appOf, merge, namespace } from './act.ts';
import { aTemplate } from './rules.ts';

export const createDeployment: Act = async (world, chance) => {
  const app = appOf(chance);
  const template = aTemplate(app, chance);
  const replicas = chance.between(1, chance.oneIn(5) ? 30 : 6);
  await world.applyDeployment(app, replicas, (object) => ({
    ...object,
    spec: { ...object.spec, template },
  }));
  return `create deployment ${app} x${replicas} ${JSON.stringify(template.spec)}`;
};

export const createStatefulSet: Act = async (world, chance) => {
  const app = appOf(chance);
  const template = aTemplate(app, chance);
  const podManagementPolicy = chance.oneOf('OrderedReady', 'Parallel');
  const replicas = chance.between(1, 4);
  await world.kube.create(statefulSets, {
    metadata: { name: `${app}-set`, namespace },
    spec: {
      replicas,
      serviceName: app,
      podManagementPolicy,
      selector: { matchLabels: { app } },
      template,
    },
  });
  return `create statefulset ${app}-set x${replicas} ${podManagementPolicy} ${JSON.stringify(template.spec)}`;
};

export const job: Act = async (world, chance) => {
  const name = `job-${chance.between(0, 9)}`;
  const template = aTemplate(name, chance);
  const completions = chance.between(1, 5);
  await world.kube.create(jobs, {
    metadata: { name, namespace },
    spec: {
      completions,
      parallelism: chance.between(1, 3),
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  });
  return `job ${name} x${completions} ${JSON.stringify(template.spec)}`;
};

export const scale: Act = async (world, chance) => {
  const name = appOf(chance);
  const replicas = chance.between(0, 8);
  await world.kube.patch(deployments, { name, namespace }, merge({ spec: { replicas } }));
  return `scale ${name} to ${replicas}`;
};

export const scaleUp: Act = async (world, chance) => {
  const name = appOf(chance);
  const before = await world.kube.get(deployments, { name, namespace });
  const replicas = (before?.spec.replicas ?? 0) + chance.between(1, 5);
  await world.kube.patch(deployments, { name, namespace }, merge({ spec: { replicas } }));
  return `scale ${name} up to ${replicas}`;
};

export const rollOut: Act = async (world, chance) => {
  const name = appOf(chance);
  const { spec } = aTemplate(name, chance);
  const template = { spec: { containers: spec.containers } };
  await world.kube.patch(deployments, { name, namespace }, merge({ spec: { template } }));
  return `roll out ${name} ${JSON.stringify(template)}`;
};

export const deleteWorkload: Act = async (world, chance) => {
  const app = appOf(chance);
  await world.kube.delete(deployments, { name: app, namespace });
  await world.kube.delete(statefulSets, { name: `${app}-set`, namespace });
  return `delete ${app}`;
};

export const deletePod: Act = async (world, chance) => {
  const name = chance.of(world.workloadPods())?.metadata.name;
  if (name === undefined) return '';
  const gracePeriodSeconds = chance.oneOf(0, 10);
  await world.kube.delete(pods, { name, namespace }, { gracePeriodSeconds });
  return `delete pod ${name}`;
};

export const createDaemon: Act = async (world, chance) => {
  const name = `agent-${chance.between(0, 1)}`;
  const requests = { cpu: chance.oneOf('50m', '500m', '1500m') };
  const labels = { app: name };
  await world.kube.create(daemonSets, {
    metadata: { name, namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }] },
      },
    },
  });
  return `create daemon ${name} ${requests.cpu}`;
};

export const deleteDaemon: Act = async (world, chance) => {
  const name = `agent-${chance.between(0, 1)}`;
  await world.kube.delete(daemonSets, { name, namespace: 'kube-system' });
  return `delete daemon ${name}`;
};

export const budgetOfPods: Act = async (world, chance) => {
  const app = appOf(chance);
  const spec = { maxUnavailable: chance.between(0, 2), selector: { matchLabels: { app } } };
  await world.applyBudget(`${app}-${chance.between(0, 1)}`, spec);
  return `budget of ${app} ${spec.maxUnavailable}`;
};

export const buffer: Act = async (world, chance) => {
  const name = 'spare';
  if (chance.oneIn(2)) {
    await world.kube.delete(capacityBuffers, { name, namespace });
    await world.kube.delete(podTemplates, { name, namespace });
    return 'delete buffer';
  }
  const template = aTemplate('spare', chance);
  await world.kube.create(podTemplates, { metadata: { name, namespace }, template });
  const replicas = chance.between(1, 4);
  await world.kube.create(capacityBuffers, {
    metadata: { name, namespace },
    spec: { podTemplateRef: { name }, replicas },
  });
  return `create buffer x${replicas} ${JSON.stringify(template.spec)}`;
};
