import { events } from '../../../src/api/kubernetes/core.ts';
import type { HttpRequest } from '../../../src/ports/http.ts';
import type { TestWorld } from '../harness.ts';

export const minuteMs = 60_000;
/** Longer than the pause between two reminders of a failure that goes on. */
const quietMinutes = 7;
/** Of one kind, in a minute in which nothing happens. The queue is asked all the time. */
const mostRequests = 7;
/** Of one reason, about one object, in the whole of a story. */
const mostEvents = 30;

/** What claims, nodes and pods there are, and how the pods fare. */
export function outlineOf(world: TestWorld): string {
  const lines = [
    ...[...world.claims(), ...world.nodes()].map(({ metadata }) => metadata),
    ...world.workloadPods().map(({ metadata, status }) => ({ ...metadata, phase: status?.phase })),
  ].map((one) => `${one.name} ${'phase' in one ? one.phase : ''} ${one.deletionTimestamp ?? ''}`);
  return lines.sort().join('\n');
}

/** While nothing changes hardly anything is asked, nothing is written or decided, and no error told. */
export async function noise(world: TestWorld): Promise<readonly string[]> {
  const requests = countRequests(world);
  const before = outlineOf(world);
  const [errors, decisions] = [world.errors.length, world.decisions.length];
  await world.runFor(quietMinutes * minuteMs);
  const after = outlineOf(world);
  const loud = [...requests].filter(
    ([what, times]) => isChange(what) || times > mostRequests * quietMinutes,
  );
  return [
    ...(before === after ? [] : [`at rest ${before} became ${after}`]),
    ...loud.map(([what, times]) => `at rest ${what}, ${times} times`),
    ...new Set(world.errors.slice(errors).map((error) => `at rest ${error}`)),
    ...world.decisions.slice(decisions).map(({ sentence }) => `at rest: ${sentence}`),
  ];
}

function countRequests(world: TestWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  };
  world.meddleKube = (request, handle) => {
    count(`${request.method} ${request.path.split('?')[0]}`);
    return handle(request);
  };
  world.meddleAws = (request, handle) => {
    count(actionOf(request));
    return handle(request);
  };
  return counts;
}

function actionOf({ body, headers, path }: HttpRequest): string {
  return /^Action=(\w+)/.exec(String(body))?.[1] ?? headers['x-amz-target'] ?? path;
}

/** The lease is renewed, and pods that still wait are reminded. */
function isChange(what: string): boolean {
  return /^(POST|PUT|PATCH|DELETE) /.test(what) && !/\/(leases|events)\b/.test(what);
}

export async function tooManyEvents(world: TestWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list(events);
  const counts = new Map<string, number>();
  for (const { involvedObject, reason, source } of items) {
    if (source?.component !== 'karpenter') continue;
    const key = `${reason} of ${involvedObject.kind} ${involvedObject.name} ${involvedObject.uid}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, times]) => times > mostEvents)
    .map(([key, times]) => `${times} events ${key}`);
}
