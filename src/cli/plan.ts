import { Command, Option } from 'commander';
import { readSources, withReadableSources } from './manifest/read-sources.ts';
import { readManifests } from './planning/manifests.ts';
import { reportText } from './planning/report-text.ts';
import { makePlan } from './planning/run.ts';
import { type PlanningFlags, planningOptions } from './planning-flags.ts';

interface PlanFlags extends PlanningFlags {
  readonly filename: readonly string[];
  readonly region: string;
  readonly output: 'text' | 'json';
}

/** `karpenter plan`: what manifests would cost, and which pods would find no place. */
export function planCommand(): Command {
  const command = new Command('plan')
    .description('tell what would be bought for manifests, and why pods get no place')
    .addOption(
      new Option(
        '-f, --filename <path...>',
        'a file, a folder (with all below it), or - for stdin',
      ).makeOptionMandatory(),
    )
    .option('--region <region>', 'region whose catalogue and prices are used', 'us-west-2')
    .addOption(
      new Option('-o, --output <format>', 'how the plan is printed')
        .choices(['text', 'json'])
        .default('text'),
    );
  for (const option of planningOptions()) command.addOption(option);
  return command
    .addHelpText('after', help)
    .action((flags: PlanFlags) => withReadableSources('plan', () => runPlan(flags), 1));
}

const help = `
The manifests are applied to an embedded cluster in this process, and the controller acts on it. Your
own cluster and AWS account are not asked. Without a NodePool the pools of karpenter start are used.
Prices are those of the catalogue that ships with Karpenter, not today's.

Exit codes:
  0  every pod has a place
  1  a manifest was refused, or something else failed
  2  the plan was made, and some pods have no place

Examples:
  karpenter plan -f deployment.yaml -f pools/
  karpenter plan -f app.yaml --region eu-west-1 --output json | jq .cost
  helm template ./chart | karpenter plan -f -
  kubectl get deployments,nodepools,ec2nodeclasses -A -o yaml | karpenter plan -f -
`;

async function runPlan(flags: PlanFlags): Promise<void> {
  const planned = await makePlan(readManifests(await readSources(flags.filename)), flags);
  if ('problems' in planned) {
    for (const problem of planned.problems) process.stderr.write(`${problem}\n`);
    throw new Error('there is no plan until this is mended');
  }
  const text = flags.output === 'json' ? JSON.stringify(planned, null, 2) : reportText(planned);
  process.stdout.write(`${text}\n`);
  process.exitCode = planned.unplaced.length > 0 ? 2 : 0;
}
