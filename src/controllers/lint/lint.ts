import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { lintShadows } from '../../api/lint/between-objects.ts';
import type { Finding } from '../../api/lint/finding.ts';
import type { LintInstanceType } from '../../api/lint/knowledge.ts';
import { lintNodeClass } from '../../api/lint/node-class.ts';
import { lintNodePool } from '../../api/lint/node-pool.ts';
import { conditionOf } from '../../api/resource.ts';
import type { Value } from '../../api/value.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { follow, runKeyed } from '../loops.ts';

/** Several objects are applied together; they are judged once all of them are there. */
const gatherMs = 2_000;

type Subject = NodePool | EC2NodeClass;

/**
 * Tells what in NodePools and EC2NodeClasses will not do what it seems to, as Warning events on the
 * object and in the log: the errors and warnings of `karpenter lint`, each once for as long as it holds.
 */
export function startLint(context: Context, signal: AbortSignal): { readonly done: Promise<void> } {
  const { informers } = context;
  const told = new Map<string, Told>();
  const reconcile = async (key: string): Promise<Requeue> => {
    const basis = basisOf(context, key);
    const before = told.get(key);
    // A pool's status changes all the time; nothing that is judged does.
    if (before?.basis === basis) return onChange;
    const subject = subjectOf(context, key);
    if (subject === undefined) told.delete(key);
    else told.set(key, { basis, texts: tellNews(context, subject, before?.texts ?? new Set()) });
    return onChange;
  };
  const loop = runKeyed(context, { name: 'lint', reconcile }, signal);
  follow(informers.nodePools, signal, ({ metadata }) =>
    loop.enqueueAfter(`nodepool/${metadata.name}`, gatherMs),
  );
  follow(informers.nodeClasses, signal, ({ metadata }) => {
    loop.enqueueAfter(`ec2nodeclass/${metadata.name}`, gatherMs);
    for (const pool of informers.nodePools.by('node-class', metadata.name))
      loop.enqueueAfter(`nodepool/${pool.metadata.name}`, gatherMs);
  });
  return loop;
}

interface Told {
  /** What was judged; the same again need not be. */
  readonly basis: string;
  readonly texts: ReadonlySet<string>;
}

/** Every version that a judgement depends on. */
function basisOf({ informers, types }: Context, key: string): string {
  const versionOf = ({ metadata }: Subject): string =>
    `${metadata.uid ?? ''}:${metadata.generation ?? 0}`;
  const name = key.split('/')[1] ?? '';
  if (key.startsWith('ec2nodeclass/')) {
    const nodeClass = informers.nodeClasses.get(name);
    const ready = nodeClass && conditionOf(nodeClass, 'Ready');
    return nodeClass === undefined ? '' : `${versionOf(nodeClass)} ${ready?.message ?? ''}`;
  }
  return `${types.version} ${informers.nodePools.list().map(versionOf).join(' ')}`;
}

interface Judged {
  readonly object: Subject;
  readonly findings: readonly Finding[];
}

function subjectOf(context: Context, key: string): Judged | undefined {
  const [kind, name = ''] = key.split('/');
  const { nodePools, nodeClasses } = context.informers;
  if (kind === 'ec2nodeclass') {
    const object = nodeClasses.get(name);
    return object && { object, findings: lintNodeClass(plainOf(object)) };
  }
  const pool = nodePools.get(name);
  if (pool === undefined) return undefined;
  const instanceTypes = typesOf(context, pool);
  const shadow = shadowOf(nodePools.list(), name);
  return { object: pool, findings: [...lintNodePool(plainOf(pool), { instanceTypes }), ...shadow] };
}

function shadowOf(pools: readonly NodePool[], name: string): readonly Finding[] {
  const values = pools.map((pool) => ({ name: pool.metadata.name, value: plainOf(pool) }));
  const shadows = lintShadows(values.map(({ value }) => value));
  const own = values.find((one) => one.name === name);
  const shadow = own && shadows.get(own.value);
  return shadow === undefined ? [] : [shadow];
}

/** What the cloud sells under the pool's class, once somebody has asked it. */
function typesOf({ types }: Context, pool: NodePool): readonly LintInstanceType[] | undefined {
  const known = types.of(pool.spec.template.spec.nodeClassRef.name);
  return known.length === 0 ? undefined : known;
}

/** An object of the API is plain data, whatever its type says. */
function plainOf(object: Subject): Value {
  return object as unknown as Value;
}

function tellNews(
  { ports }: Context,
  { object, findings }: Judged,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const serious = findings.filter(({ severity }) => severity !== 'info');
  for (const { code, sentence, fix, docs } of serious) {
    if (before.has(`${code} ${sentence}`)) continue;
    const message = `${code}: ${sentence}; ${fix} (${docs})`;
    ports.events.publish({ about: object, type: 'Warning', reason: 'Lint', message });
    ports.log.info('lint', { object: object.metadata.name, code, sentence, fix });
  }
  return new Set(serious.map(({ code, sentence }) => `${code} ${sentence}`));
}
