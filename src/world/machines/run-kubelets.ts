import type { Clock } from '../../ports/clock.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { untilAborted } from '../../runtime/until-aborted.ts';
import { createKubelet } from './kubelet.ts';
import { KubeletLink } from './kubelet-link.ts';
import type { Machine, MachineRoom } from './machine.ts';
import type { NodeBootstrap } from './node-bootstrap.ts';
import { isBootable, parseUserData } from './user-data/user-data.ts';

interface KubeletPorts {
  readonly machines: MachineRoom;
  /** A client for the API server that the user data names; asked once per endpoint. */
  readonly connect: (bootstrap: NodeBootstrap) => KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Gives every machine that comes on a kubelet, which joins the cluster named in its user data and
 * runs the pods bound to it; when the machine goes off it falls silent. Resolves after the signal.
 */
export async function runKubelets(
  ports: KubeletPorts,
  settings: { readonly speed: number },
  signal: AbortSignal,
): Promise<void> {
  const { machines, connect, clock, random, log } = ports;
  const { speed } = settings;
  const links = new Map<string, KubeletLink>();

  const linkFor = (bootstrap: NodeBootstrap): KubeletLink => {
    const id = `${bootstrap.apiServerEndpoint} ${bootstrap.certificateAuthority ?? ''}`;
    const known = links.get(id);
    if (known !== undefined) return known;
    const kube = connect(bootstrap);
    const link = new KubeletLink({ kube, clock, random, log }, speed, signal);
    links.set(id, link);
    return link;
  };
  const boot = (machine: Machine): void => {
    const bootstrap = parseUserData(machine.userData);
    if (!isBootable(bootstrap)) {
      const { reason } = bootstrap;
      log.info('machine joins no cluster', { instance: machine.instanceId, reason });
      return;
    }
    const kubelet = createKubelet(machine, bootstrap, { random, speed, nowMs: clock.nowMs() });
    linkFor(bootstrap).add(kubelet);
  };

  const unsubscribe = machines.subscribe({
    onStarted: boot,
    onStopped: (instanceId) => {
      for (const link of links.values()) link.remove(instanceId);
    },
  });
  for (const machine of machines.running()) boot(machine);
  await untilAborted(signal);
  unsubscribe();
  await Promise.all([...links.values()].map((link) => link.done));
}
