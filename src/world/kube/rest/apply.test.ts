import { describe, expect, test } from 'vitest';
import { type Api, aDeployment, deployments, startApi } from '../../../../test/kube/api.ts';

const web = `${deployments}/web`;

function partial(spec: object, labels?: object): object {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', labels }, spec };
}

function withEnv(...names: readonly string[]): object {
  const env = names.map((name) => ({ name, value: '1' }));
  return partial({ template: { spec: { containers: [{ name: 'app', env }] } } });
}

async function envOf(api: Api): Promise<readonly string[]> {
  const { body } = await api.get(web);
  const [container] = body.spec.template.spec.containers;
  return (container?.env ?? []).map((one: { name: string }) => one.name);
}

describe('server-side apply', () => {
  test('creates what is missing, from YAML, and says who owns what', async () => {
    const api = startApi();
    const text = `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {on: "1"}
`;
    const path = '/api/v1/namespaces/default/configmaps/a';
    const { status, body } = await api.apply(path, 'one', text);
    expect(status).toBe(201);
    expect(body.metadata.managedFields).toMatchObject([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsV1: { 'f:data': { 'f:true': {} } },
      },
    ]);
  });

  test('a field of somebody else is a conflict until forced', async () => {
    const api = startApi();
    await api.apply(web, 'one', aDeployment('web', { replicas: 2 }));
    const refused = await api.apply(web, 'two', partial({ replicas: 3 }));
    expect(refused).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.replicas' }] },
      },
    });
    const forced = await api.apply(`${web}?force=true`, 'two', partial({ replicas: 3 }));
    expect(forced.body.spec.replicas).toBe(3);
    const again = await api.apply(web, 'one', aDeployment('web', { replicas: 4 }));
    expect(again.body.message).toContain('conflict with "two": .spec.replicas');
  });

  test('several conflicts are listed by manager', async () => {
    const api = startApi();
    await api.apply(web, 'one', aDeployment('web', { replicas: 2, paused: true }));
    const { body } = await api.apply(web, 'two', partial({ replicas: 3, paused: false }));
    expect(body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.paused\n- .spec.replicas',
    );
  });

  test('the same value is no conflict, and then both own it', async () => {
    const api = startApi();
    await api.apply(web, 'one', aDeployment('web', { replicas: 2 }));
    expect((await api.apply(web, 'two', partial({ replicas: 2 }))).status).toBe(200);
    await api.apply(web, 'one', aDeployment('web'));
    expect((await api.get(web)).body.spec.replicas).toBe(2);
    await api.apply(web, 'two', partial({}));
    expect((await api.get(web)).body.spec.replicas).toBe(1);
  });

  test('items of a keyed list belong to whoever applied them', async () => {
    const api = startApi();
    await api.apply(web, 'one', aDeployment('web'));
    await api.apply(web, 'env', withEnv('A', 'B'));
    await api.apply(web, 'more', withEnv('C'));
    expect(await envOf(api)).toEqual(['A', 'B', 'C']);
    await api.apply(web, 'env', withEnv('B'));
    expect(await envOf(api)).toEqual(['B', 'C']);
  });

  test('a plain update takes ownership, so that a later apply conflicts', async () => {
    const api = startApi();
    await api.apply(web, 'one', aDeployment('web', { replicas: 2 }));
    await api.merge(web, { spec: { replicas: 5 } });
    const { body } = await api.apply(web, 'one', aDeployment('web', { replicas: 2 }));
    expect(body.message).toBe(
      'Apply failed with 1 conflict: conflict with "tester" using apps/v1: .spec.replicas',
    );
  });

  test('repeating an apply makes no new version', async () => {
    const api = startApi();
    const first = await api.apply(web, 'one', aDeployment('web'));
    await api.clock.runFor(5_000);
    const second = await api.apply(web, 'one', aDeployment('web'));
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });

  test('what kubectl applied from the client before is its own', async () => {
    const api = startApi();
    const sent = { ...aDeployment('web', { replicas: 2 }) } as { metadata: object };
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(sent),
    };
    await api.send('POST', `${deployments}?fieldManager=kubectl-client-side-apply`, {
      ...sent,
      metadata: { ...sent.metadata, annotations },
    });
    const { status, body } = await api.apply(web, 'kubectl', aDeployment('web', { replicas: 3 }));
    expect(status).toBe(200);
    expect(body.spec.replicas).toBe(3);
  });

  test('needs a manager and known fields', async () => {
    const api = startApi();
    const type = 'application/apply-patch+yaml';
    const nobody = await api.send('PATCH', web, aDeployment('web'), type);
    expect(nobody.body.message).toContain('fieldManager: Required value');
    const unknown = await api.apply(web, 'one', aDeployment('web', { colour: 'red' }));
    expect(unknown.body.message).toContain('.spec.colour: field not declared in schema');
  });
});
