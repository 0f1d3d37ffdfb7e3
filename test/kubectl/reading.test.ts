import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { kubectlPath, whySkipped } from './kubectl.ts';
import { aDeployment, aNode, aPod, runningStatus } from './manifests.ts';

describe.skipIf(kubectlPath === undefined)(`kubectl reads${whySkipped}`, () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
    await cluster.run('create -f -', aNode('n1', { 'node-role.kubernetes.io/worker': '' }));
    await cluster.run('create -f -', aPod('web', { nodeName: 'n1' }));
    await cluster.setStatus('pod/web', runningStatus);
    await cluster.run('create -f -', aPod('idle'));
    await cluster.run('create ns store');
    await cluster.run('create -n store -f -', aDeployment('shop'));
  });

  afterAll(() => cluster?.close());

  test('version', async () => {
    const { stdout } = await cluster.attempt('version');
    expect(stdout).toMatch(/Client Version: v1\.\d+/);
    expect(stdout).toMatch(/Server Version: v1\.\d+/);
  });

  test('api-resources', async () => {
    const table = await cluster.run('api-resources');
    expect(table).toMatch(/^pods +po +v1 +true +Pod$/m);
    expect(table).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
    expect(table).toMatch(/^nodes +no +v1 +false +Node$/m);
    const all = await cluster.run('api-resources --categories=all -o name');
    expect(all.split('\n')).toContain('deployments.apps');
    expect(all).not.toContain('configmaps');
  });

  test('api-versions', async () => {
    expect((await cluster.run('api-versions')).split('\n')).toEqual(
      expect.arrayContaining(['apps/v1', 'v1', 'policy/v1']),
    );
  });

  test('get pods', async () => {
    const lines = (await cluster.run('get pods')).split('\n');
    expect(lines[0]).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE$/);
    expect(lines[1]).toMatch(/^idle +0\/1 +Pending +0 +\d+s$/);
    expect(lines[2]).toMatch(/^web +1\/1 +Running +0 +\d+s$/);
  });

  test('get pods -o wide', async () => {
    const table = await cluster.run('get pods -o wide');
    expect(table).toMatch(
      /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES/,
    );
    expect(table).toMatch(/^web .* 10\.1\.2\.3 +n1 +<none> +<none>/m);
    expect(table).toMatch(/^idle .* <none> +<none> +<none> +<none>/m);
  });

  test('get nodes -o wide', async () => {
    const table = await cluster.run('get nodes -o wide');
    expect(table).toMatch(/^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP +EXTERNAL-IP +OS-IMAGE/);
    expect(table).toMatch(
      /^n1 +Ready +worker +\d+s +v1\.36\.3 +10\.0\.0\.7 +<none> +Bottlerocket OS +6\.1\.0 \(arm64\) +containerd:\/\/2\.0\.0$/m,
    );
  });

  test('get of several kinds at once', async () => {
    const table = await cluster.run('get nodes,pods');
    expect(table).toMatch(/^node\/n1 +Ready/m);
    expect(table).toMatch(/^pod\/web +1\/1/m);
  });

  test('get in other formats', async () => {
    expect(await cluster.run('get pods -o name')).toBe('pod/idle\npod/web\n');
    expect(await cluster.run("get pod web -o jsonpath='{.status.podIP}'")).toBe('10.1.2.3');
    const columns = 'NAME:.metadata.name,IMAGE:.spec.containers[0].image';
    expect(await cluster.run(`get pod web -o custom-columns=${columns}`)).toMatch(/web +nginx:1/);
    const list = JSON.parse(await cluster.run('get pods -o json'));
    expect(list.items).toHaveLength(2);
    expect(list.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'Pod' });
    expect(await cluster.run('get deploy shop -n store -o yaml')).toContain('kind: Deployment');
  });

  test('get by label, by field and in all namespaces', async () => {
    expect(await cluster.run('get pods -l app=web -o name')).toBe('pod/web\n');
    expect(await cluster.run("get pods -l 'app notin (web)' -o name")).toBe('pod/idle\n');
    expect(await cluster.run('get pods --field-selector spec.nodeName=n1 -o name')).toBe(
      'pod/web\n',
    );
    expect(await cluster.run('get pods --field-selector status.phase!=Running -o name')).toBe(
      'pod/idle\n',
    );
    expect(await cluster.run('get pods -A')).toMatch(/^default +web /m);
    expect(await cluster.run('get pods --show-labels')).toMatch(/^web .* app=web$/m);
    expect(await cluster.run('get pods -L app')).toMatch(/^web .* web$/m);
  });

  test('get of what is not there', async () => {
    const { code, stderr } = await cluster.attempt('get pod nobody');
    expect(code).toBe(1);
    expect(stderr).toBe('Error from server (NotFound): pods "nobody" not found\n');
    expect((await cluster.attempt('get pods -n nowhere')).stderr).toContain('No resources found');
  });

  test('get in chunks finds everything once', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `chunk-${String(i).padStart(2, '0')}`);
    const items = names.map((name) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
    }));
    await cluster.run('create ns chunks');
    await cluster.run('create -n chunks -f -', { apiVersion: 'v1', kind: 'List', items });
    const found = await cluster.run('get cm -n chunks --chunk-size=10 -o name');
    expect(found.split('\n').filter((line) => line.includes('chunk-'))).toEqual(
      names.map((name) => `configmap/${name}`),
    );
    const table = await cluster.run('get cm -n chunks --chunk-size=10');
    expect(table.match(/^chunk-/gm)).toHaveLength(25);
  });

  test('explain a built-in kind', async () => {
    const text = await cluster.run('explain pod.spec');
    expect(text).toContain('KIND:       Pod');
    expect(text).toContain('FIELD: spec <PodSpec>');
    expect(text).toMatch(/tolerations\t<\[\]Toleration>/);
    const { code, stderr } = await cluster.attempt('explain pod.spec.nonsense');
    expect(code).toBe(1);
    expect(stderr).toContain('field "nonsense" does not exist');
  });

  test('describe pod', async () => {
    const uid = await cluster.run("get pod web -o jsonpath='{.metadata.uid}'");
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'web.1' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'default', uid },
      reason: 'Started',
      message: 'Started container web',
      type: 'Normal',
      source: { component: 'kubelet' },
      count: 1,
    };
    await cluster.run('create -f -', event);
    const text = await cluster.run('describe pod web');
    expect(text).toMatch(/^Name: +web$/m);
    expect(text).toMatch(/^Node: +n1\//m);
    expect(text).toMatch(/^Status: +Running$/m);
    expect(text).toMatch(/Image: +nginx:1/);
    expect(text).toContain('Started container web');
  });

  test('describe node adds up its pods', async () => {
    const text = await cluster.run('describe node n1');
    expect(text).toMatch(/^Roles: +worker$/m);
    expect(text).toMatch(/Ready +True .*KubeletReady/);
    expect(text).toMatch(/default +web /);
    expect(text).toContain('Allocated resources:');
  });

  test('describe deployment', async () => {
    const text = await cluster.run('describe deployment shop -n store');
    expect(text).toMatch(/^Selector: +app=shop$/m);
    expect(text).toMatch(/^Replicas: +2 desired/m);
  });

  test('get events by what they are about', async () => {
    const selector = 'involvedObject.name=web,type=Normal';
    const table = await cluster.run(`get events --field-selector ${selector}`);
    expect(table).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/m);
    expect(table).toMatch(/Normal +Started +pod\/web +Started container web$/m);
    const none = await cluster.attempt('get events --field-selector involvedObject.name=idle');
    expect(none.stderr).toContain('No resources found');
    expect(await cluster.run('events --for pod/web')).toContain('Started container web');
  });

  test('auth can-i', async () => {
    expect(await cluster.run('auth can-i create deployments')).toBe('yes\n');
    expect(await cluster.run('auth can-i --list')).toMatch(/\*\.\*/);
  });

  test('cluster-info and raw paths', async () => {
    expect(await cluster.run('cluster-info')).toMatch(/Kubernetes control plane.*is running at/);
    expect(await cluster.run('get --raw /healthz')).toBe('ok');
    expect(await cluster.run('get --raw /readyz')).toBe('ok');
  });

  test('what the server starts with', async () => {
    const namespaces = await cluster.run('get ns');
    expect(namespaces).toMatch(/^default +Active +\d+s$/m);
    expect(namespaces).toMatch(/^kube-system +Active/m);
    expect(await cluster.run('get all -n store')).toMatch(/^deployment\.apps\/shop +0\/2 /m);
  });
});
