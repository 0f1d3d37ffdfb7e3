import { test } from 'vitest';
import { createTestWorld } from './harness.ts';

test('debug', async () => {
  const t0 = performance.now();
  const lap = (s: string) =>
    process.stdout.write(
      `${s} ${Math.round(performance.now() - t0)} ms real, virtual ${(world.clock.nowMs() - v0) / 1000}\n`,
    );
  const world = await createTestWorld();
  const v0 = world.clock.nowMs();
  lap('seeded');
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(30_000);
  lap('idle 30s');
  await world.applyDeployment('nginx', 200);
  await world.untilRunning(200);
  lap('running');
  await world.deleteDeployment('nginx');
  await world.untilNothingIsLeft();
  lap('gone');
  await world.runFor(180_000);
  lap('quiet');
  for (const d of world.decisions)
    process.stdout.write(`${(d.atMs - v0) / 1000} ${d.code}: ${d.sentence}\n`);
  for (const w of world.writes)
    if (w.what.includes('nodepools') || w.what.includes('ckr7v'))
      process.stdout.write(`${(w.atMs - v0) / 1000} ${w.what.slice(0, 1800)}\n`);
  process.stdout.write(world.errors.join('\n'));
  await world.close();
  lap('closed');
}, 120000);
