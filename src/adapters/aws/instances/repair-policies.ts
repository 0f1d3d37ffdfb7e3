import type { RepairPolicy } from '../../../ports/cloud-provider.ts';
import { minuteMs } from '../context.ts';

/** What kubelet and the node monitoring agent of EKS report of a node that will not recover by itself. */
export const repairPolicies: readonly RepairPolicy[] = [
  { condition: 'Ready', status: 'False', toleranceMs: 30 * minuteMs },
  { condition: 'Ready', status: 'Unknown', toleranceMs: 30 * minuteMs },
  { condition: 'AcceleratedHardwareReady', status: 'False', toleranceMs: 10 * minuteMs },
  { condition: 'StorageReady', status: 'False', toleranceMs: 30 * minuteMs },
  { condition: 'NetworkingReady', status: 'False', toleranceMs: 30 * minuteMs },
  { condition: 'KernelReady', status: 'False', toleranceMs: 30 * minuteMs },
  { condition: 'ContainerRuntimeReady', status: 'False', toleranceMs: 30 * minuteMs },
];
