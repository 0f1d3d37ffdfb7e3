import { Command } from 'commander';
import { controllerCommand } from './controller.ts';
import { convertCommand } from './convert.ts';
import { crdsCommand } from './crds.ts';
import { lintCommand } from './lint.ts';
import { planCommand } from './plan.ts';
import { startCommand } from './start.ts';
import { worldCommand } from './world.ts';

/** Runs one command line. Failures go to stderr in one sentence and set the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command('karpenter')
    .description(
      'Karpenter in TypeScript: buys the cheapest nodes that fit your pods, and says why.',
    )
    .version('0.1.0')
    .showHelpAfterError('(run with --help for the flags)')
    .addHelpText('after', examples);
  const tools = [planCommand(), convertCommand(), lintCommand(), crdsCommand()];
  for (const command of [startCommand(), controllerCommand(), worldCommand(), ...tools]) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  endWhenNobodyReads();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`karpenter: ${describe(error)}\n`);
    process.exitCode = 1;
  }
  await flushed();
  // Machines that are still booting in the embedded world hold timers of many minutes at low speed.
  process.exit();
}

/** Resolves when what was printed has left the process. */
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
}

/** `karpenter crds | head` closes our output early; that is no failure of ours. */
function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const examples = `
Examples:
  karpenter start                    a whole cluster in a sandbox, with a console to look at
  karpenter start --once             the same, as a test that ends by itself
  karpenter controller               manage the cluster that your kubeconfig points at
  karpenter crds | kubectl apply --server-side -f -
  karpenter plan -f app.yaml         what would be bought for manifests, at what price, and what finds no place
  karpenter convert -f old.yaml      v1beta1 and older manifests as v1, with a reason for every change
  karpenter lint -f pools.yaml       what in manifests will not do what it seems to
`;

/** The message and, where a cause says more, the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error && !error.message.includes(error.cause.message);
  return cause ? `${error.message}: ${describe(error.cause)}` : error.message;
}
