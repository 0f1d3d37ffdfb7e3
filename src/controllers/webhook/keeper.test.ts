import { expect, test } from 'vitest';
import { collectedLog } from '../../../test/world/collected-log.ts';
import { createKubeClient } from '../../adapters/kube/client.ts';
import { createMetrics } from '../../adapters/system/metrics.ts';
import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../adapters/system/virtual-clock.ts';
import { customResourceDefinitions } from '../../api/crds.ts';
import { resource } from '../../api/kubernetes/core.ts';
import { withV1beta1 } from '../../api/v1beta1/definitions.ts';
import { createKubeServer } from '../../world/kube/server.ts';
import { certificateIn, secretData, secrets } from './certificate-secret.ts';
import { keepCertificate } from './keeper.ts';
import { renewed } from './serving-certificate.ts';

const definitions = resource(
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'CustomResourceDefinition',
  'cluster',
);
const dayMs = 24 * 3_600_000;
const secret = { name: 'karpenter-webhook-cert', namespace: 'kube-system' };
const service = {
  kind: 'service',
  name: 'karpenter',
  namespace: 'kube-system',
  port: 8443,
} as const;

/** An API server on a virtual clock, with replicas that keep a certificate there. */
async function cluster() {
  const clock = createVirtualClock(Date.parse('2026-11-16T00:00:00Z'));
  const { handle } = createKubeServer({ clock, random: createSeededRandom(1) });
  const kube = createKubeClient({ send: handle, clock });
  const ending = new AbortController();
  const errors: string[] = [];
  for (const crd of withV1beta1(customResourceDefinitions(), service)) {
    await kube.create(definitions, crd);
  }
  const log = collectedLog('keeper', () => true, errors);
  const start = (address: Parameters<typeof keepCertificate>[1]['address'] = service) =>
    keepCertificate(
      { kube, clock, log, metrics: createMetrics() },
      { address, secret },
      ending.signal,
    );
  const caBundle = async (name: string): Promise<string | undefined> => {
    const crd = (await kube.get(definitions, { name })) as Loose;
    return crd.spec.conversion?.webhook?.clientConfig?.caBundle;
  };
  return { clock, kube, start, caBundle, errors, end: () => ending.abort(new Error('over')) };
}

type Loose = ReturnType<typeof JSON.parse>;

/** Keys are made in threads of their own, which a virtual clock does not wait for by itself. */
async function settled(clock: VirtualClock, isDone: () => unknown): Promise<void> {
  for (let i = 0; i < 100 && !(await isDone()); i++) {
    await clock.runFor(500);
    await clock.waitFor(renewed(undefined, { nowMs: clock.nowMs(), names: ['patience'] }));
  }
}

test('a first replica makes the certificate, and the definitions trust it', async () => {
  const { clock, kube, start, caBundle, errors, end } = await cluster();
  const keeper = start();
  await settled(clock, () => caBundle('ec2nodeclasses.karpenter.k8s.aws'));
  const kept = certificateIn(await kube.get(secrets, secret));
  expect(kept).toEqual(keeper.current());
  const bundle = Buffer.from(kept?.caPem ?? '').toString('base64');
  expect(await caBundle('nodepools.karpenter.sh')).toBe(bundle);
  expect(await caBundle('nodeclaims.karpenter.sh')).toBe(bundle);
  expect(await caBundle('nodeoverlays.karpenter.sh')).toBeUndefined();
  expect(errors).toEqual([]);
  end();
  await keeper.done;
});

test('replicas share one certificate, and take over what another has put in its place', async () => {
  const { clock, kube, start, end } = await cluster();
  const [one, two] = [start(), start()];
  await settled(clock, () => one.current() !== undefined && two.current() !== undefined);
  expect(two.current()).toEqual(one.current());
  const names = ['karpenter.kube-system.svc', 'karpenter.kube-system', 'karpenter'];
  const other = await renewed(undefined, { nowMs: clock.nowMs(), names });
  const present = await kube.get(secrets, secret);
  if (present === undefined) throw new Error('no Secret');
  await kube.update(secrets, { ...present, data: secretData(other) });
  await clock.runFor(31_000);
  expect([one.current(), two.current()]).toEqual([other, other]);
  end();
  await Promise.all([one.done, two.done]);
});

test.each([
  { name: 'an old certificate', age: 250 * dayMs, spoilt: {} },
  { name: 'a Secret that somebody spoilt', age: 0, spoilt: { 'tls.key': 'bm9uc2Vuc2U=' } },
])('$name is replaced', async ({ age, spoilt }) => {
  const { clock, kube, start, caBundle, errors, end } = await cluster();
  const names = ['karpenter.kube-system.svc', 'karpenter.kube-system', 'karpenter'];
  const old = await renewed(undefined, { nowMs: clock.nowMs() - age, names });
  await kube.create(secrets, { metadata: secret, data: { ...secretData(old), ...spoilt } });
  const keeper = start();
  await settled(clock, () => caBundle('ec2nodeclasses.karpenter.k8s.aws'));
  expect(keeper.current()?.certificatePem).not.toBe(old.certificatePem);
  expect(certificateIn(await kube.get(secrets, secret))).toEqual(keeper.current());
  expect(errors).toEqual([]);
  end();
  await keeper.done;
});

test('outside the cluster the definitions name an address in place of the Service', async () => {
  const { clock, kube, start, caBundle, end } = await cluster();
  const keeper = start({ kind: 'url', url: 'https://10.0.0.1:8443' });
  await settled(clock, () => caBundle('ec2nodeclasses.karpenter.k8s.aws'));
  const crd = (await kube.get(definitions, { name: 'nodepools.karpenter.sh' })) as Loose;
  const { clientConfig } = crd.spec.conversion.webhook;
  expect(clientConfig).toMatchObject({ url: 'https://10.0.0.1:8443/conversion' });
  expect(clientConfig).not.toHaveProperty('service');
  end();
  await keeper.done;
});
