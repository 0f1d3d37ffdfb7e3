import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { kubectlPath, whySkipped } from './kubectl.ts';
import { aDeployment, aPod } from './manifests.ts';

describe.skipIf(kubectlPath === undefined)(`kubectl writes${whySkipped}`, () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
  });

  afterAll(() => cluster?.close());

  function field(object: string, path: string): Promise<string> {
    return cluster.run(`get ${object} -o jsonpath='{${path}}'`);
  }

  test('create deployment, scale, set image, set env', async () => {
    expect(await cluster.run('create deployment shop --image=nginx:1 --replicas=2')).toBe(
      'deployment.apps/shop created\n',
    );
    expect(await cluster.run('scale deployment shop --replicas=5')).toBe(
      'deployment.apps/shop scaled\n',
    );
    expect(await field('deploy/shop', '.spec.replicas')).toBe('5');
    expect(await cluster.run('set image deployment/shop nginx=nginx:2')).toContain('image updated');
    expect(await field('deploy/shop', '.spec.template.spec.containers[0].image')).toBe('nginx:2');
    await cluster.run('set env deployment/shop MODE=fast');
    await cluster.run('set resources deployment/shop --requests=cpu=100m,memory=64Mi');
    expect(await field('deploy/shop', '.spec.template.spec.containers[0].env')).toBe(
      '[{"name":"MODE","value":"fast"}]',
    );
    expect(await field('deploy/shop', '.metadata.generation')).toBe('5');
  });

  test('a scale that expects another size is refused', async () => {
    const { code, stderr } = await cluster.attempt(
      'scale deployment shop --current-replicas=9 --replicas=1',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('Expected replicas to be 9, was 5');
  });

  test('create of a name that is taken', async () => {
    const { stderr } = await cluster.attempt('create deployment shop --image=nginx:1');
    expect(stderr).toContain('deployments.apps "shop" already exists');
  });

  test('create configmap, secret, namespace, service, job, pdb and more', async () => {
    await cluster.run('create configmap settings --from-literal=a=b');
    expect(await field('cm/settings', '.data.a')).toBe('b');
    await cluster.run('create secret generic keys --from-literal=password=hunter2');
    expect(await field('secret/keys', '.data.password')).toBe('aHVudGVyMg==');
    await cluster.run('create namespace team');
    expect(await field('ns/team', '.status.phase')).toBe('Active');
    await cluster.run('create service clusterip shop --tcp=80:8080');
    expect(await cluster.run('get svc shop')).toMatch(
      /^shop +ClusterIP +10\.\S+ +<none> +80\/TCP/m,
    );
    await cluster.run('create job once --image=busybox');
    expect(await cluster.run('get jobs')).toMatch(/^once +Running +0\/1/m);
    await cluster.run('create pdb shop --selector=app=shop --min-available=1');
    expect(await cluster.run('get pdb')).toMatch(/^shop +1 +N\/A +0/m);
    await cluster.run('create serviceaccount robot');
    await cluster.run('create priorityclass high --value=1000');
    expect(await cluster.run('get priorityclass high')).toMatch(/^high +1000 +false/m);
  });

  test('run makes a pod with its defaults', async () => {
    await cluster.run('run once-more --image=nginx --restart=Never');
    const pod = JSON.parse(await cluster.run('get pod once-more -o json'));
    expect(pod.spec).toMatchObject({
      restartPolicy: 'Never',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
    });
    expect(pod.status).toMatchObject({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test('label and annotate, change and remove', async () => {
    await cluster.run('create configmap tagged');
    expect(await cluster.run('label cm tagged tier=front')).toBe('configmap/tagged labeled\n');
    const { stderr } = await cluster.attempt('label cm tagged tier=back');
    expect(stderr).toContain('already has a value (front), and --overwrite is false');
    await cluster.run('label cm tagged tier=back --overwrite');
    expect(await field('cm/tagged', '.metadata.labels.tier')).toBe('back');
    await cluster.run('label cm tagged tier-');
    expect(await field('cm/tagged', '.metadata.labels')).toBe('');
    await cluster.run('annotate cm tagged example.com/note=hello');
    expect(await field('cm/tagged', '.metadata.annotations')).toBe('{"example.com/note":"hello"}');
  });

  test('patch in all three ways', async () => {
    await cluster.run('create -f -', aDeployment('patched'));
    const containers = '.spec.template.spec.containers[*].image';
    const strategic = {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'a:2' }] } } },
    };
    await cluster.run(`patch deploy patched -p '${JSON.stringify(strategic)}'`);
    expect(await field('deploy/patched', containers)).toBe('a:2 logger:1');
    const json = [{ op: 'replace', path: '/spec/template/spec/containers/1/image', value: 'b:2' }];
    await cluster.run(`patch deploy patched --type=json -p '${JSON.stringify(json)}'`);
    expect(await field('deploy/patched', containers)).toBe('a:2 b:2');
    const merge = { spec: { replicas: 7 }, metadata: { labels: { app: null } } };
    await cluster.run(`patch deploy patched --type=merge -p '${JSON.stringify(merge)}'`);
    expect(await field('deploy/patched', '.spec.replicas')).toBe('7');
    expect(await field('deploy/patched', '.metadata.labels')).toBe('');
    expect(await cluster.run("patch deploy patched --type=merge -p '{}'")).toContain('(no change)');
  });

  test('apply twice from the client keeps what others have set', async () => {
    expect(await cluster.run('apply -f -', aDeployment('applied'))).toBe(
      'deployment.apps/applied created\n',
    );
    const again = await cluster.attempt('apply -f -', aDeployment('applied'));
    expect(again).toMatchObject({ stdout: 'deployment.apps/applied unchanged\n', stderr: '' });
    const sidecar = { spec: { template: { spec: { containers: [{ name: 'x', image: 'x' }] } } } };
    await cluster.run(`patch deploy applied -p '${JSON.stringify(sidecar)}'`);
    const env = [{ name: 'A', value: '1' }];
    const changed = await cluster.attempt(
      'apply -f -',
      aDeployment('applied', { image: 'c:2', env }),
    );
    expect(changed).toMatchObject({ stdout: 'deployment.apps/applied configured\n', stderr: '' });
    const names = await field('deploy/applied', '.spec.template.spec.containers[*].name');
    expect(names.split(' ').sort()).toEqual(['log', 'web', 'x']);
    await cluster.run('apply -f -', aDeployment('applied', { image: 'c:2' }));
    expect(await field('deploy/applied', '..env')).toBe('');
  });

  test('apply --server-side tells who owns a field, and may take it over', async () => {
    const mine = aDeployment('shared', { replicas: 1 });
    expect(await cluster.run('apply --server-side -f -', mine)).toBe(
      'deployment.apps/shared serverside-applied\n',
    );
    const theirs = aDeployment('shared', { replicas: 9 });
    const other = 'apply --server-side --field-manager=other -f -';
    const refused = await cluster.attempt(other, theirs);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Apply failed with 1 conflict: conflict with "kubectl"');
    expect(refused.stderr).toContain('.spec.replicas');
    await cluster.run(`${other} --force-conflicts`, theirs);
    expect(await field('deploy/shared', '.spec.replicas')).toBe('9');
    const managers = await cluster.run(
      "get deploy shared --show-managed-fields -o jsonpath='{.metadata.managedFields[*].manager}'",
    );
    expect(managers.split(' ')).toEqual(expect.arrayContaining(['kubectl', 'other']));
  });

  test('diff shows what an apply would do, and does nothing', async () => {
    await cluster.run('apply -f -', aDeployment('compared'));
    expect((await cluster.attempt('diff -f -', aDeployment('compared'))).code).toBe(0);
    const { code, stdout } = await cluster.attempt(
      'diff -f -',
      aDeployment('compared', { image: 'd:2' }),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^-\s+- image: nginx:1$/m);
    expect(stdout).toMatch(/^\+\s+- image: d:2$/m);
    expect(await field('deploy/compared', '.spec.template.spec.containers[0].image')).toBe(
      'nginx:1',
    );
  });

  test('a dry run on the server changes nothing', async () => {
    expect(await cluster.run('create -f - --dry-run=server', aPod('ghost'))).toBe(
      'pod/ghost created (server dry run)\n',
    );
    expect((await cluster.attempt('get pod ghost')).code).toBe(1);
  });

  test('unknown fields are refused, or warned about when asked to', async () => {
    const wrong = aPod('typo', { contaners: [] });
    const strict = await cluster.attempt('create -f -', wrong);
    expect(strict.code).toBe(1);
    expect(strict.stderr).toContain('strict decoding error: unknown field "spec.contaners"');
    const warned = await cluster.attempt('create --validate=warn -f -', wrong);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain('unknown field "spec.contaners"');
  });

  test('invalid objects are refused with the field', async () => {
    const { stderr } = await cluster.attempt('create -f -', aPod('empty', { containers: [] }));
    expect(stderr).toContain('The Pod "empty" is invalid: spec.containers: Required value');
    const upper = await cluster.attempt('create configmap UPPER');
    expect(upper.stderr).toContain('metadata.name: Invalid value');
  });

  test('replace needs the object to be there', async () => {
    await cluster.run('create -f -', aDeployment('replaced'));
    expect(await cluster.run('replace -f -', aDeployment('replaced', { replicas: 4 }))).toBe(
      'deployment.apps/replaced replaced\n',
    );
    expect(await field('deploy/replaced', '.spec.replicas')).toBe('4');
    expect((await cluster.attempt('replace -f -', aDeployment('missing'))).stderr).toContain(
      'not found',
    );
  });

  test('rollout pause, resume and restart change the template', async () => {
    await cluster.run('create -f -', aDeployment('rolled'));
    await cluster.run('rollout pause deploy/rolled');
    expect(await field('deploy/rolled', '.spec.paused')).toBe('true');
    await cluster.run('rollout resume deploy/rolled');
    await cluster.run('rollout restart deploy/rolled');
    expect(await field('deploy/rolled', '.spec.template.metadata.annotations')).toContain(
      'kubectl.kubernetes.io/restartedAt',
    );
  });
});
