import type { Act } from './act.ts';
import { cordon, deleteClaim, deleteNode, forceClaim, forceNode, taintNode } from './node-acts.ts';
import {
  classAnew,
  createPool,
  deletePool,
  editClass,
  editPool,
  overlay,
  poolAnew,
} from './pool-acts.ts';
import {
  budgetOfPods,
  buffer,
  createDaemon,
  createDeployment,
  createStatefulSet,
  deleteDaemon,
  deletePod,
  deleteWorkload,
  job,
  rollOut,
  scale,
  scaleUp,
} from './workload-acts.ts';

/** What users do, the frequent things more than once. */
export const userActs: readonly Act[] = [
  createPool,
  createPool,
  editPool,
  editPool,
  deletePool,
  createDeployment,
  createDeployment,
  createDeployment,
  createStatefulSet,
  scale,
  scale,
  rollOut,
  deleteWorkload,
  deletePod,
  deletePod,
  deleteNode,
  cordon,
  deleteClaim,
  createDaemon,
  deleteDaemon,
  editClass,
  overlay,
  buffer,
  forceClaim,
  forceNode,
  taintNode,
  poolAnew,
  classAnew,
  budgetOfPods,
  job,
];

/** What makes nothing that was bought superfluous. */
export const growingActs: readonly Act[] = [
  createPool,
  createDeployment,
  createDeployment,
  createDeployment,
  createStatefulSet,
  scaleUp,
  scaleUp,
  scaleUp,
];

export const firstActs: readonly Act[] = [createPool, createDeployment];
