import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import { filled } from './rules.ts';

/** A pod spec, in a pod or in a template, with the defaults of the API. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  const account = textAt(spec, 'serviceAccountName') ?? textAt(spec, 'serviceAccount');
  const named =
    account === undefined
      ? spec
      : filled(spec, { serviceAccountName: account, serviceAccount: account });
  const whole = filled(named, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  const isHostNetwork = spec.hostNetwork === true;
  const defaulted = (container: Json): Json => containerDefaults(container, { isHostNetwork });
  return {
    ...whole,
    ...mapped(whole, 'containers', defaulted),
    ...mapped(whole, 'initContainers', defaulted),
    ...mapped(whole, 'volumes', volumeDefaults),
  };
}

/** A template as workloads carry it. */
export function templateDefaults(template: JsonObject): JsonObject {
  return { ...template, spec: podSpecDefaults(objectAt(template, 'spec')) };
}

function mapped(spec: JsonObject, key: string, change: (item: Json) => Json): JsonObject {
  return spec[key] === undefined ? {} : { [key]: listAt(spec, key).map(change) };
}

function containerDefaults(
  container: Json,
  { isHostNetwork }: { readonly isHostNetwork: boolean },
): Json {
  if (!isObject(container)) return container;
  const whole = filled(container, {
    imagePullPolicy: pullPolicy(textAt(container, 'image') ?? ''),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  });
  return {
    ...whole,
    resources: resourceDefaults(objectAt(whole, 'resources')),
    ...mapped(whole, 'ports', (port) => portDefaults(port, { isHostNetwork })),
    ...mapped(whole, 'env', envDefaults),
    ...probeDefaults(whole, 'livenessProbe'),
    ...probeDefaults(whole, 'readinessProbe'),
    ...probeDefaults(whole, 'startupProbe'),
  };
}

/** A tag of `latest`, or none, is pulled each time; a digest never changes. */
function pullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function resourceDefaults(resources: JsonObject): JsonObject {
  const limits = resources.limits;
  if (!isObject(limits)) return resources;
  return { ...resources, requests: filled(objectAt(resources, 'requests'), limits) };
}

function portDefaults(port: Json, { isHostNetwork }: { readonly isHostNetwork: boolean }): Json {
  if (!isObject(port)) return port;
  return filled(port, {
    protocol: 'TCP',
    hostPort: isHostNetwork ? port.containerPort : undefined,
  });
}

function envDefaults(variable: Json): Json {
  const reference = objectAt(variable, 'valueFrom', 'fieldRef');
  if (!isObject(variable) || reference.fieldPath === undefined) return variable;
  const fieldRef = filled(reference, { apiVersion: 'v1' });
  return { ...variable, valueFrom: { ...objectAt(variable, 'valueFrom'), fieldRef } };
}

function probeDefaults(container: JsonObject, key: string): JsonObject {
  const probe = container[key];
  if (!isObject(probe)) return {};
  const whole = filled(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  if (!isObject(whole.httpGet)) return { [key]: whole };
  return { [key]: { ...whole, httpGet: filled(whole.httpGet, { path: '/', scheme: 'HTTP' }) } };
}

const modes: readonly string[] = ['secret', 'configMap', 'downwardAPI', 'projected'];

function volumeDefaults(volume: Json): Json {
  if (!isObject(volume)) return volume;
  if (Object.keys(volume).every((key) => key === 'name')) return { ...volume, emptyDir: {} };
  const source = modes.find((key) => isObject(volume[key]));
  if (source !== undefined) {
    return { ...volume, [source]: filled(objectAt(volume, source), { defaultMode: 420 }) };
  }
  if (!isObject(volume.hostPath)) return volume;
  return { ...volume, hostPath: filled(volume.hostPath, { type: '' }) };
}
