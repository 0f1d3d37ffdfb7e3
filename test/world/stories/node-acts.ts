import { nodeClaims } from '../../../src/api/karpenter/node-claim.ts';
import { nodes } from '../../../src/api/kubernetes/core.ts';
import { type Act, merge } from './act.ts';

export const deleteNode: Act = async (world, chance) => {
  const name = chance.of(world.nodes())?.metadata.name;
  if (name === undefined) return '';
  await world.kube.delete(nodes, { name });
  return `delete node ${name}`;
};

export const forceNode: Act = async (world, chance) => {
  const name = chance.of(world.nodes())?.metadata.name;
  if (name === undefined) return '';
  await world.kube.patch(nodes, { name }, merge({ metadata: { finalizers: null } }));
  await world.kube.delete(nodes, { name });
  return `tear node ${name} away`;
};

export const cordon: Act = async (world, chance) => {
  const name = chance.of(world.nodes())?.metadata.name;
  if (name === undefined) return '';
  const unschedulable = chance.oneIn(3) ? null : true;
  await world.kube.patch(nodes, { name }, merge({ spec: { unschedulable } }));
  return `cordon ${name} ${unschedulable}`;
};

export const taintNode: Act = async (world, chance) => {
  const node = chance.of(world.nodes());
  if (node === undefined) return '';
  const { name } = node.metadata;
  const taint = { key: 'example.com/broken', effect: chance.oneOf('NoSchedule', 'NoExecute') };
  const taints = [...(node.spec?.taints ?? []), taint];
  await world.kube.patch(nodes, { name }, merge({ spec: { taints } }));
  return `taint ${name} ${taint.effect}`;
};

export const deleteClaim: Act = async (world, chance) => {
  const name = chance.of(world.claims())?.metadata.name;
  if (name === undefined) return '';
  await world.kube.delete(nodeClaims, { name });
  return `delete claim ${name}`;
};

export const forceClaim: Act = async (world, chance) => {
  const name = chance.of(world.claims())?.metadata.name;
  if (name === undefined) return '';
  await world.kube.patch(nodeClaims, { name }, merge({ metadata: { finalizers: null } }));
  await world.kube.delete(nodeClaims, { name });
  return `tear claim ${name} away`;
};
