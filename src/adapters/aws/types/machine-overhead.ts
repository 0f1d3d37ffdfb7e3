import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { parseAmount, parseQuantity } from '../../../core/quantity/quantity.ts';
import { add, type Resources, subtract } from '../../../core/quantity/resources.ts';
import { familyFeatures } from '../node-class/ami-family.ts';
import {
  ephemeralStorageBytes,
  gibibyte,
  type MachineSettings,
  mebibyte,
  memoryBytes,
  podLimit,
  podsByInterfaces,
  vcpus,
} from './machine-capacity.ts';

/** What kubelet, system and eviction keep for themselves. */
export function overheadOf(info: InstanceTypeInfo, settings: MachineSettings): Resources {
  return add(
    add(kubeReserved(info, settings), amounts(settings.kubelet?.systemReserved)),
    evictionThreshold(info, settings),
  );
}

/** What is left for pods. Never below zero, and nothing that the machine does not have. */
export function allocatableOf(capacity: Resources, overhead: Resources): Resources {
  const rest = Object.entries(subtract(capacity, overhead));
  return Object.fromEntries(
    rest
      .filter(([name]) => capacity[name] !== undefined)
      .map(([name, amount]) => [name, Math.max(0, amount)]),
  );
}

function kubeReserved(info: InstanceTypeInfo, settings: MachineSettings): Resources {
  const pods = familyFeatures(settings.family).reservesMemoryByInterfaces
    ? podsByInterfaces(info, { ...settings, reservedEnis: 0 })
    : podLimit(info, settings);
  return {
    cpu: reservedCpuMillis(vcpus(info) * 1_000),
    memory: (11 * pods + 255) * mebibyte,
    'ephemeral-storage': gibibyte,
    ...amounts(settings.kubelet?.kubeReserved),
  };
}

/** 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the rest, each rounded down. */
function reservedCpuMillis(millis: number): number {
  const bands = [
    { upTo: 1_000, perTenThousand: 600 },
    { upTo: 2_000, perTenThousand: 100 },
    { upTo: 4_000, perTenThousand: 50 },
    { upTo: Infinity, perTenThousand: 25 },
  ];
  let from = 0;
  let reserved = 0;
  for (const { upTo, perTenThousand } of bands) {
    const within = Math.max(0, Math.min(millis, upTo) - from);
    reserved += Math.trunc((within * perTenThousand) / 10_000);
    from = upTo;
  }
  return reserved;
}

function evictionThreshold(info: InstanceTypeInfo, settings: MachineSettings): Resources {
  const hard = settings.kubelet?.evictionHard ?? {};
  const memory = memoryBytes(info, settings);
  const storage = ephemeralStorageBytes(info, settings);
  return {
    memory: threshold(hard['memory.available'], memory) ?? 100 * mebibyte,
    'ephemeral-storage': threshold(hard['nodefs.available'], storage) ?? percentOf(storage, 10),
  };
}

/** A percentage of the whole or an amount. All of it means that the signal is switched off. */
function threshold(text: string | undefined, whole: number): number | undefined {
  if (text === undefined) return undefined;
  if (!text.endsWith('%')) {
    const amount = parseQuantity(text, 'units');
    return typeof amount === 'number' ? amount : undefined;
  }
  const percent = Number(text.slice(0, -1));
  return percent === 100 ? 0 : percentOf(whole, percent);
}

/** In this order, since the original rounds so: other orders differ in the last byte. */
function percentOf(whole: number, percent: number): number {
  return Math.ceil((whole / 100) * percent);
}

/** Quantities that cannot be read are refused when the node class is admitted. */
function amounts(list: Readonly<Record<string, string>> | undefined): Resources {
  const parsed: Record<string, number> = {};
  for (const [name, text] of Object.entries(list ?? {})) {
    const amount = parseAmount(name, text);
    if (typeof amount === 'number') parsed[name] = amount;
  }
  return parsed;
}
