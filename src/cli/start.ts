import { Command, Option } from 'commander';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createSeededRandom } from '../adapters/system/seeded-random.ts';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import { customResourceDefinitions } from '../api/crds.ts';
import { chartWebhookAddress, withV1beta1 } from '../api/v1beta1/definitions.ts';
import type { Decision } from '../core/explain/decision.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import { portNumber, positiveNumber, wholeNumber } from './arguments.ts';
import { type ChildController, startChildController } from './child-controller.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { exitCodeOf, stopSwitch, untilSignal } from './signals.ts';
import { playFirstStory, type StoryOutcome } from './story/first-story.ts';
import { type Chapter, reportOf, reportText } from './story/report.ts';
import { applyPools, seedCluster } from './story/seed.ts';
import { followStream, type StreamListener } from './terminal/event-stream.ts';
import { createLiveNarrator } from './terminal/live-narrator.ts';
import { type Narrator, silentNarrator } from './terminal/narrator.ts';
import { createPlainNarrator } from './terminal/plain-narrator.ts';

interface StartFlags {
  readonly once: boolean;
  readonly output: 'text' | 'json';
  readonly port: number;
  readonly speed: number;
  readonly seed: number;
  readonly region: string;
  readonly story: boolean;
}

const clusterName = 'sandbox';
const replicas = 200;
const patienceMs = 120_000;
const exitReportMs = 2000;

/** `karpenter start`: a whole cluster in a sandbox, with the first story played on it. */
export function startCommand(): Command {
  return new Command('start')
    .description(
      'bring up the embedded world, the controller and the console, and play the first story',
    )
    .option(
      '--once',
      'play the story, check that nothing is left behind, print the bill, and end',
      false,
    )
    .addOption(
      new Option('--output <format>', 'with --once: how to report')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option(
      '--port <port>',
      'port of the console; another free one if it is taken',
      portNumber,
      8082,
    )
    .option('--speed <factor>', 'how much faster than life the cloud boots', positiveNumber, 20)
    .option('--seed <number>', 'same seed, same names and delays', wholeNumber, 1)
    .option('--region <region>', 'region whose catalogue and prices are used', 'us-west-2')
    .option('--no-story', 'leave the cluster empty, for your own kubectl')
    .addHelpText('after', startHelp)
    .action((flags: StartFlags, command: Command) => {
      if (flags.output === 'json' && !(flags.once && flags.story))
        command.error('error: --output json reports a story that was played: add --once');
      return runStart(flags);
    });
}

const startHelp = `
While it runs, copy the printed export lines into another terminal and use kubectl and aws.
Ctrl-C ends it and removes everything it made.

Exit codes: 0 the story went well, or Ctrl-C after it; 130 Ctrl-C before its end; 1 anything else.

Examples:
  npm start                          watch the story, then try things yourself
  npm start -- --no-story            an empty cluster for your own kubectl
  npm start -- --once --output json  as a test: one JSON object, then the end
`;

interface Stage {
  readonly flags: StartFlags;
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  readonly controller: ChildController;
  readonly narrator: Narrator;
  readonly chapters: Chapter[];
  readonly decisions: Decision[];
  /** Once nothing more is played, Ctrl-C is the expected end. */
  readonly turn: { isYours: boolean };
  readonly signal: AbortSignal;
}

async function runStart(flags: StartFlags): Promise<void> {
  const clock = createSystemClock();
  const log = createJsonLog({ clock, level: 'error', write: (line) => process.stderr.write(line) });
  const stop = stopSwitch();
  const links: string[] = [];
  const turn = { isYours: false };
  const narrator = narratorFor(flags, clock, links);
  const closers: (() => unknown)[] = [() => narrator.close()];
  const interrupted = untilSignal().then((name) => {
    narrator.tell('stopping');
    if (!turn.isYours) process.exitCode = exitCodeOf(name);
    stop.abort(new Interrupted());
  });
  try {
    narrator.tell('a cluster with two system nodes is built');
    const sandbox = await openSandbox(
      { clock, log, random: createSeededRandom(flags.seed) },
      { ...flags, clusterName },
    );
    closers.unshift(() => sandbox.close());
    const definitions = withV1beta1(customResourceDefinitions(), chartWebhookAddress);
    await seedCluster(
      {
        ...flags,
        ...sandbox,
        clusterName,
        aws: sandbox.awsClients,
        clock,
        patienceMs,
        definitions,
      },
      stop.signal,
    );
    const controller = await startChildController({
      clock,
      env: sandbox.env,
      clusterName,
      port: flags.port,
      signal: stop.signal,
    });
    closers.unshift(() => controller.stop());
    const stage: Stage = {
      flags,
      clock,
      sandbox,
      controller,
      narrator,
      chapters: [],
      decisions: [],
      turn,
      signal: stop.signal,
    };
    announce(stage, links);
    await Promise.race([perform(stage), failureOf(controller), interrupted.then(() => undefined)]);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort(new Interrupted());
    for (const closer of closers) await closer();
  }
}

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

async function failureOf(controller: ChildController): Promise<never> {
  throw new Error((await controller.ended) ?? 'the controller ended');
}

function narratorFor(flags: StartFlags, clock: Clock, links: readonly string[]): Narrator {
  if (flags.output === 'json') return silentNarrator;
  if (process.stdout.isTTY)
    return createLiveNarrator({ clock, stream: process.stdout, links: () => links });
  return createPlainNarrator(clock, (text) => process.stdout.write(text));
}

/** The lines to copy, in the picture or, for pipes, at the top. */
function announce({ flags, sandbox, controller }: Stage, links: string[]): void {
  links.push(`console  ${controller.url}`);
  links.push(...Object.entries(sandbox.env).map(([name, value]) => `export ${name}=${value}`));
  if (flags.output === 'text' && !process.stdout.isTTY)
    process.stdout.write(`${links.join('\n')}\n`);
}

async function perform(stage: Stage): Promise<void> {
  const { sandbox, narrator, flags } = stage;
  const listener = {
    show: (view: Parameters<Narrator['show']>[0]) => narrator.show(view),
    decide: (decision: Decision) => {
      stage.decisions.push(decision);
      narrator.decide(decision);
    },
  };
  const watching = follow(stage, listener);
  await applyPools(sandbox.kube, clusterName);
  if (flags.story) await Promise.race([playAndReport(stage), watching]);
  if (flags.once) return;
  stage.turn.isYours = true;
  narrator.tell('it is your turn: use kubectl, look at the console; Ctrl-C ends it');
  await watching;
}

/** Shows what the controller says until we are stopped; ends with an error before that. */
async function follow(stage: Stage, listener: StreamListener): Promise<void> {
  const { clock, controller, signal } = stage;
  const broken = await followStream(controller.url, listener, signal).catch(
    (error: Error) => error,
  );
  if (signal.aborted) return;
  // A controller that has died says why in a moment; that is worth more than a broken stream.
  await sleep(clock, exitReportMs, signal);
  throw new Error(`the stream of the controller at ${controller.url} ended`, { cause: broken });
}

async function playAndReport(stage: Stage): Promise<void> {
  const { sandbox, clock, narrator, chapters, flags, signal } = stage;
  const tell = (sentence: string): void => {
    chapters.push({ atMs: clock.nowMs(), sentence });
    narrator.tell(sentence);
  };
  const outcome = await playFirstStory(
    { kube: sandbox.kube, aws: sandbox.awsClients, clock, tell },
    { replicas, patienceMs },
    signal,
  );
  if (flags.once) printReport(stage, outcome);
}

function printReport(
  { flags, sandbox, clock, decisions, chapters, narrator }: Stage,
  outcome: StoryOutcome,
): void {
  const bill = sandbox.aws.market
    .bill(clock.nowMs())
    .lines.filter((line) => line.owner === 'karpenter');
  const report = reportOf({ outcome, bill, decisions });
  narrator.close();
  process.stdout.write(
    flags.output === 'json' ? `${JSON.stringify(report)}\n` : `\n${reportText(report, chapters)}`,
  );
}
