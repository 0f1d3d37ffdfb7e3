import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { kubectlPath, whySkipped } from './kubectl.ts';
import { thingDefinition } from './manifests.ts';

function aThing(name: string, spec: object) {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name, labels: { 'karpenter.sh/capacity-type': 'spot' } },
    spec,
  };
}

describe.skipIf(kubectlPath === undefined)(`kubectl and custom resources${whySkipped}`, () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
    await cluster.run('create -f -', thingDefinition);
    await cluster.run('wait crd/things.example.com --for=condition=Established --timeout=20s');
    await cluster.run('create -f -', aThing('a', { size: 3 }));
  });

  afterAll(() => cluster?.close());

  test('the definition is listed, and its kind discovered', async () => {
    expect(await cluster.run('get crd')).toMatch(/^things\.example\.com +20\d\d-/m);
    expect(await cluster.run('api-resources --api-group=example.com')).toMatch(
      /^things +th +example\.com\/v1 +true +Thing$/m,
    );
  });

  test('defaults are filled in', async () => {
    expect(await cluster.run("get thing a -o jsonpath='{.spec.colour}'")).toBe('grey');
  });

  test('printer columns', async () => {
    await cluster.setStatus('thing/a', { conditions: [{ type: 'Ready', status: 'True' }] });
    expect(await cluster.run('get th')).toMatch(/^NAME +SIZE +READY +AGE\na +3 +True +\d+s\n$/);
    expect(await cluster.run('get things -o wide')).toMatch(
      /^NAME +SIZE +READY +CAPACITY +AGE\na +3 +True +spot +\d+s\n$/,
    );
  });

  test('the schema is enforced', async () => {
    const small = await cluster.attempt('create -f -', aThing('b', { size: 0 }));
    expect(small.stderr).toContain('The Thing "b" is invalid: spec.size: Invalid value: 0');
    const without = await cluster.attempt('create -f -', aThing('b', {}));
    expect(without.stderr).toContain('spec.size: Required value');
    const unknown = await cluster.attempt('create -f -', aThing('b', { size: 1, weight: 2 }));
    expect(unknown.stderr).toContain('unknown field "spec.weight"');
  });

  test('explain', async () => {
    const text = await cluster.run('explain thing.spec');
    expect(text).toContain('GROUP:      example.com');
    expect(text).toMatch(/size\t<integer>( -required-)?\n +How large it is\./);
  });

  test('apply from the client, then with a change', async () => {
    expect(await cluster.run('apply -f -', aThing('c', { size: 1 }))).toBe(
      'thing.example.com/c created\n',
    );
    const changed = await cluster.attempt('apply -f -', aThing('c', { size: 2 }));
    expect(changed).toMatchObject({ stdout: 'thing.example.com/c configured\n', stderr: '' });
    expect(await cluster.run("get thing c -o jsonpath='{.spec.size}'")).toBe('2');
    expect(await cluster.run('apply -f -', aThing('c', { size: 2 }))).toContain('unchanged');
  });

  test('apply --server-side', async () => {
    await cluster.run('apply --server-side -f -', aThing('d', { size: 1 }));
    const other = await cluster.attempt(
      'apply --server-side --field-manager=other -f -',
      aThing('d', { size: 5 }),
    );
    expect(other.stderr).toContain('.spec.size');
  });

  test('a strategic patch is refused, a merge patch works', async () => {
    const { stderr } = await cluster.attempt(`patch thing a -p '{"spec":{"size":4}}'`);
    expect(stderr).toContain('application/strategic-merge-patch+json');
    await cluster.run(`patch thing a --type=merge -p '{"spec":{"size":4}}'`);
    expect(await cluster.run("get thing a -o jsonpath='{.spec.size}'")).toBe('4');
  });

  test('status has its own door', async () => {
    await cluster.run(`patch thing a --type=merge -p '{"status":{"conditions":[]}}'`);
    expect(await cluster.run("get thing a -o jsonpath='{.status.conditions[0].status}'")).toBe(
      'True',
    );
  });

  test('the definition can be applied again with a change', async () => {
    const changed = structuredClone(thingDefinition);
    changed.metadata = { ...changed.metadata };
    changed.spec.names.shortNames = ['th', 'tg'];
    const outcome = await cluster.attempt('apply -f -', changed);
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).not.toContain('error calculating patch');
    expect(await cluster.run('get tg -o name')).toContain('thing.example.com/a');
  });

  test('deleting the definition deletes its objects', async () => {
    await cluster.run('delete crd things.example.com --timeout=20s');
    const { stderr } = await cluster.attempt('get things');
    expect(stderr).toMatch(/the server doesn't have a resource type "things"|could not find/);
  });
});
