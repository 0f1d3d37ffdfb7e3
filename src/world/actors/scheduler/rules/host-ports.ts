import type { HostPort } from '../placed-pod.ts';
import { type Rule, rejection } from '../rule.ts';

const taken = rejection(
  "node(s) didn't have free ports for the requested pod ports",
  'preemptable',
);

/** No two pods of a node may hold the same host port on the same address. */
export const hostPorts: Rule = {
  name: 'NodePorts',
  prepare(pod, cluster) {
    if (pod.hostPorts.length === 0) return undefined;
    return (node) => {
      const promised = cluster.promisedTo(node.name, pod);
      for (const other of [...node.pods.values(), ...promised]) {
        if (other.hostPorts.some((held) => pod.hostPorts.some((port) => clash(held, port))))
          return taken;
      }
      return undefined;
    };
  },
};

function clash(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0';
}
