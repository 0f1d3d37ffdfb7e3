// Families of running clusters: nodes with pods bound to them, for consolidation.

import {
  daemonPods,
  daemonSets,
  daemonSize,
  deployment,
  disruptionBudget,
  keys,
  nodeWithClaim,
  pod,
  podTerm,
  replicaOf,
  zoneSpread,
} from './objects.mjs';
import { serviceSize } from './pending.mjs';
import { isGeneralPurpose } from './types.mjs';

const PROFILES = [
  { name: 'cpu', ratio: 1.2 },
  { name: 'even', ratio: 4 },
  { name: 'memory', ratio: 9 },
];

// About 60 % full, in normal operation: budgets, a few pods that must not be moved.
export const steady = (input) =>
  running(input, {
    fill: 0.6,
    fillDeviation: 0.12,
    minCpuM: 1800,
    maxCpuM: 17000,
    onDemand: 0.6,
    protectedPods: 0.003,
    budgets: 0.25,
    blockedApp: true,
    emptyNodes: 0,
  });

// After a scale-down: a quarter full, in many shapes, some nodes empty.
export const fragmented = (input) =>
  running(input, {
    fill: 0.25,
    fillDeviation: 0.12,
    minCpuM: 1800,
    maxCpuM: 34000,
    onDemand: 0.7,
    protectedPods: 0.001,
    budgets: 0.1,
    blockedApp: false,
    emptyNodes: 0.03,
  });

function running({ random, nodes, types, pods }, shape) {
  const fleet = buyNodes(random, nodes, types, shape);
  const apps = makeApps(random, shape);
  const placed = fillNodes(random, fleet, apps, shape, pods);
  const objects = [...daemonSets()];
  for (const app of apps) {
    const replicas = app.pods.length;
    if (replicas === 0) continue;
    objects.push(...deployment({ ...app, replicas }));
    if (app.budget !== undefined) {
      const allowed = app.budget === 0 ? 0 : Math.max(1, Math.floor(replicas * app.budget));
      objects.push(disruptionBudget({ name: app.name, labels: app.labels, replicas, allowed }));
    }
  }
  for (const n of fleet) objects.push(n.node, n.claim, ...n.daemons);
  return { objects, pods: placed };
}

function buyNodes(random, count, types, shape) {
  const usable = types.filter(
    (t) =>
      isGeneralPurpose(t) &&
      t.cpuM >= shape.minCpuM &&
      t.cpuM <= shape.maxCpuM &&
      !t.name.includes('metal'),
  );
  if (usable.length === 0)
    throw new Error('no instance type in the file is between the sizes this family uses');
  return Array.from({ length: count }, (_, index) => {
    const type = random.pick(usable);
    const capacityType = random.chance(shape.onDemand) ? 'on-demand' : 'spot';
    const offers = type.offerings.filter((o) => o.available && o.capacityType === capacityType);
    const offering = random.pick(offers.length ? offers : type.offerings);
    const made = nodeWithClaim(random, { index, type, offering });
    const name = made.node.metadata.name;
    const target = random.chance(shape.emptyNodes)
      ? 0
      : Math.min(0.97, Math.max(0.05, random.normal(shape.fill, shape.fillDeviation)));
    return {
      ...made,
      name,
      type,
      offering,
      daemons: daemonPods(random, name),
      free: {
        cpuM: type.cpuM - daemonSize.cpuM,
        memoryMi: type.memoryMi - daemonSize.memoryMi,
        pods: type.pods - daemonSize.pods,
      },
      room: {
        cpuM: type.cpuM * target - daemonSize.cpuM,
        memoryMi: type.memoryMi * target - daemonSize.memoryMi,
      },
      apps: new Set(),
    };
  });
}

function makeApps(random, shape) {
  const apps = Array.from({ length: 40 }, (_, i) => {
    const profile = PROFILES[i % PROFILES.length];
    const name = `${profile.name}-${String(i).padStart(2, '0')}`;
    const labels = { app: name };
    const app = {
      name,
      labels,
      size: serviceSize(random, profile),
      spec: {},
      weight: 1 / (i + 1),
      pods: [],
      byZone: new Map(),
    };
    if (random.chance(0.15)) {
      app.spread = true;
      app.spec.topologySpreadConstraints = [zoneSpread(labels, { maxSkew: 2 })];
    } else if (random.chance(0.1)) {
      app.alone = true;
      app.spec.affinity = {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [podTerm(keys.hostname, labels)],
        },
      };
    }
    if (random.chance(0.1)) app.capacityType = 'on-demand';
    if (app.capacityType) app.spec.nodeSelector = { [keys.capacityType]: app.capacityType };
    if (random.chance(shape.budgets)) app.budget = 0.1;
    return app;
  });
  if (shape.blockedApp) {
    apps.at(-1).budget = 0;
    apps.at(-1).weight = 0.02;
  }
  return apps;
}

function fits(node, app, random) {
  const { cpuM, memoryMi } = app.size;
  if (node.room.cpuM < cpuM || node.room.memoryMi < memoryMi || node.free.pods < 1) return false;
  if (app.capacityType && node.offering.capacityType !== app.capacityType) return false;
  if (app.alone && node.apps.has(app.name)) return false;
  if (app.spread) {
    const counts = [...random.zones].map((zone) => app.byZone.get(zone) ?? 0);
    if ((app.byZone.get(node.offering.zone) ?? 0) + 1 - Math.min(...counts) > 2) return false;
  }
  return true;
}

// Draws services by weight onto random nodes until no node takes more, or the wanted number is reached.
function fillNodes(random, fleet, apps, shape, limit) {
  const placed = [];
  const zones = new Set(fleet.map((n) => n.offering.zone));
  const total = apps.reduce((sum, app) => sum + app.weight, 0);
  const drawApp = () => {
    let ticket = random.next() * total;
    return (
      apps.find((app) => {
        ticket -= app.weight;
        return ticket < 0;
      }) ?? apps[0]
    );
  };
  const open = fleet.filter((n) => n.room.cpuM > 0 && n.room.memoryMi > 0);
  const misses = new Map();
  while (open.length && (!limit || placed.length < limit)) {
    const at = random.integer(0, open.length - 1);
    const node = open[at];
    const app = drawApp();
    if (!fits(node, app, { zones })) {
      const missed = (misses.get(node) ?? 0) + 1;
      misses.set(node, missed);
      if (missed >= 12) {
        open[at] = open.at(-1);
        open.pop();
      }
      continue;
    }
    placed.push(place(random, node, app, shape));
  }
  return placed;
}

function place(random, node, app, shape) {
  node.room.cpuM -= app.size.cpuM;
  node.room.memoryMi -= app.size.memoryMi;
  node.free.pods -= 1;
  node.apps.add(app.name);
  app.byZone.set(node.offering.zone, (app.byZone.get(node.offering.zone) ?? 0) + 1);
  const annotations = random.chance(shape.protectedPods)
    ? { 'karpenter.sh/do-not-disrupt': 'true' }
    : undefined;
  const made = pod(random, {
    name: `${app.name}-${app.pods.length}`,
    labels: app.labels,
    size: app.size,
    spec: app.spec,
    nodeName: node.name,
    ownedBy: replicaOf(app.name),
    annotations,
  });
  app.pods.push(made);
  return made;
}
