import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { anObservation } from '../../test/observation.ts';
import { aNode, aPod, aSnapshot } from '../../test/validator/builders.ts';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import type { Pod } from '../core/cluster/pod.ts';
import { sleep } from '../ports/clock.ts';
import { sendQuestion } from './question.ts';

const clock = createSystemClock();

/** Sends the pods to a reader who reads nothing yet, and watches how much has been looked at. */
async function sendTo(pods: readonly Pod[]) {
  let looked = 0;
  let isOver = false;
  const watched = pods.map((pod) => ({
    ...pod,
    get priority() {
      looked++;
      return pod.priority;
    },
  }));
  const snapshot = aSnapshot({ nodes: [aNode({ pods: watched })] });
  const server = createServer((_, response) => {
    sendQuestion({ clock, observation: anObservation({ snapshot: () => snapshot }) }, response);
    response.once('close', () => {
      isOver = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const request = get({ port: (server.address() as AddressInfo).port });
  const [reader] = (await once(request, 'response')) as [IncomingMessage];
  return { reader, looked: () => looked, isOver: () => isOver };
}

const many = Array.from({ length: 60_000 }, (_, index) =>
  aPod({ name: `web-${index}`, labels: { text: `${'x'.repeat(400)}-${index}` } }),
);

async function untilStill(value: () => number): Promise<number> {
  for (;;) {
    const before = value();
    await sleep(clock, 100);
    if (before > 0 && value() === before) return before;
  }
}

test('a reader who does not read makes it wait, and gets the rest later', async () => {
  const { reader, looked } = await sendTo(many);
  expect(await untilStill(looked)).toBeLessThan(many.length / 2);
  let length = 0;
  for await (const piece of reader) length += (piece as Buffer).length;
  expect(looked()).toBe(many.length);
  expect(length).toBeGreaterThan(many.length * 400);
});

test('a reader who leaves ends the work', async () => {
  const { reader, looked, isOver } = await sendTo(many);
  const before = await untilStill(looked);
  reader.destroy();
  while (!isOver()) await sleep(clock, 20);
  expect(await untilStill(looked)).toBe(before);
});

test('everything else has its turn while a large answer is written', async () => {
  const { reader, looked } = await sendTo(many);
  reader.resume();
  let isOver = false;
  reader.once('end', () => {
    isOver = true;
  });
  let mostAtOnce = 0;
  for (let before = 0; !isOver; before = looked()) {
    await sleep(clock, 1);
    mostAtOnce = Math.max(mostAtOnce, looked() - before);
  }
  expect(looked()).toBe(many.length);
  expect(mostAtOnce).toBeLessThan(many.length / 60);
});

test('an answer that cannot be written breaks off, and nobody else is hurt', async () => {
  const odd = { ...aPod({ name: 'odd' }), createdAtMs: new Date(0) } as unknown as Pod;
  const { reader } = await sendTo([...many.slice(0, 2_000), odd]);
  const broken = once(reader, 'error');
  reader.resume();
  expect(String(await broken)).toContain('aborted');
});
