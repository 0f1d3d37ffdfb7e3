import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  test('every line is the one that the usual Prometheus client would write', async () => {
    const metrics = createMetrics();
    const registry = new Registry();
    const registers = [registry];
    const help = 'A "help" with \\ and\nnewline';
    const labelNames = ['pool', 'text'];
    const labels = { pool: 'a', text: 'quote " slash \\ line\nend' };

    const counter = { name: 'made_total', help };
    metrics.counter({ ...counter, labels: labelNames }).add(2, labels);
    new Counter({ ...counter, labelNames, registers }).inc(labels, 2);
    const gauge = { name: 'level', help };
    metrics.gauge({ ...gauge, labels: labelNames }).set(-1.5, labels);
    new Gauge({ ...gauge, labelNames, registers }).set(labels, -1.5);
    metrics.gauge({ name: 'odd', help }).set(Number.NEGATIVE_INFINITY);
    new Gauge({ name: 'odd', help, registers }).set(Number.NEGATIVE_INFINITY);
    const histogram = { name: 'took_seconds', help, buckets: [0.1, 1, 10] };
    const ours = metrics.histogram({ ...histogram, labels: ['pool'] });
    const theirs = new Histogram({ ...histogram, labelNames: ['pool'], registers });
    for (const value of [0.05, 0.1, 3, 30]) {
      ours.observe(value, { pool: 'a' });
      theirs.observe({ pool: 'a' }, value);
    }

    expect(linesOf(metrics.expose())).toEqual(linesOf(await registry.metrics()));
  });

  test('asking twice for one name gives the same metric', () => {
    const metrics = createMetrics();
    const definition = { name: 'made_total', help: 'made' };
    metrics.counter(definition).add(1);
    metrics.counter(definition).add(2);
    expect(metrics.expose()).toContain('made_total 3\n');
  });

  test('the order of families and series does not depend on the order of use', () => {
    const build = (pools: readonly string[]): string => {
      const metrics = createMetrics();
      for (const pool of pools) {
        metrics.gauge({ name: `level_${pool}`, help: 'level' }).set(1);
        metrics.counter({ name: 'made_total', help: 'made', labels: ['pool'] }).add(1, { pool });
      }
      return metrics.expose();
    };
    expect(build(['b', 'a', 'c'])).toBe(build(['c', 'b', 'a']));
  });

  test('a cleared gauge shows nothing until it is set again', () => {
    const metrics = createMetrics();
    const gauge = metrics.gauge({ name: 'nodes', help: 'nodes', labels: ['pool'] });
    gauge.set(1, { pool: 'a' });
    gauge.clear();
    gauge.set(2, { pool: 'b' });
    expect(metrics.expose()).toBe('# HELP nodes nodes\n# TYPE nodes gauge\nnodes{pool="b"} 2\n');
  });

  test('series are forgotten by what they say of their object', () => {
    const metrics = createMetrics();
    const definition = { name: 'made_total', help: 'made', labels: ['pool', 'zone'] };
    const counter = metrics.counter(definition);
    for (const pool of ['a', 'b']) for (const zone of ['x', 'y']) counter.add(1, { pool, zone });
    counter.clear({ pool: 'a' });
    counter.clear({ pool: 'b', zone: 'y' });
    expect(metrics.expose().split('\n').slice(2, -1)).toEqual(['made_total{pool="b",zone="x"} 1']);
  });

  test('mistakes are loud: an unknown label, a counter that falls, a second type for a name', () => {
    const metrics = createMetrics();
    const counter = metrics.counter({ name: 'made_total', help: 'made', labels: ['pool'] });
    expect(() => counter.add(1, { poool: 'a' })).toThrow('has no label poool');
    expect(() => counter.add(-1)).toThrow('can only grow');
    expect(() => metrics.gauge({ name: 'made_total', help: 'made' })).toThrow('is a counter');
  });
});

/** Their order, and the place of `le`, are their own choice; ours is tested apart. */
function linesOf(exposed: string): string[] {
  return exposed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\{(le="[^"]*"),(.*)\}/, '{$2,$1}'))
    .sort();
}
