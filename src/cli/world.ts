import { Command } from 'commander';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createSeededRandom } from '../adapters/system/seeded-random.ts';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import { positiveNumber, wholeNumber } from './arguments.ts';
import { openSandbox } from './sandbox.ts';
import { stopSwitch, untilSignal } from './signals.ts';
import { seedCluster } from './story/seed.ts';

interface WorldFlags {
  readonly clusterName: string;
  readonly region: string;
  readonly speed: number;
  readonly seed: number;
  readonly kubeconfig?: string;
}

/** `karpenter world`: the embedded world alone, for your own controller, tests or curiosity. */
export function worldCommand(): Command {
  return new Command('world')
    .description('run the embedded Kubernetes API server and AWS endpoint, without a controller')
    .option('--cluster-name <name>', 'name of the EKS cluster', 'sandbox')
    .option('--region <region>', 'region whose catalogue and prices are used', 'us-west-2')
    .option('--speed <factor>', 'how much faster than life the cloud boots', positiveNumber, 20)
    .option('--seed <number>', 'same seed, same names and delays', wholeNumber, 1)
    .option('--kubeconfig <file>', 'stand beside this API server in place of the embedded one')
    .action((flags: WorldFlags) => runWorld(flags));
}

async function runWorld(flags: WorldFlags): Promise<void> {
  const clock = createSystemClock();
  const log = createJsonLog({ clock, level: 'error', write: (line) => process.stderr.write(line) });
  const parts = { clock, log, random: createSeededRandom(flags.seed) };
  const stop = stopSwitch();
  const asked = untilSignal().then(() => stop.abort());
  const sandbox = await openSandbox(parts, flags);
  try {
    await seedCluster({ ...flags, ...sandbox, aws: sandbox.awsClients, clock }, stop.signal);
    for (const [name, value] of Object.entries(sandbox.env))
      process.stdout.write(`export ${name}=${value}\n`);
    process.stderr.write('the world is up; Ctrl-C ends it\n');
    await asked;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await sandbox.close();
  }
}
