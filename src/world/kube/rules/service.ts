import {
  type ApiObject,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from '../json.ts';
import { type FieldError, invalid, required } from '../status/field-error.ts';
import { filled, type KindRules, type RuleWorld } from './rules.ts';

export const serviceRules: KindRules = {
  nameFormat: 'label',
  defaults: (service) => ({ ...service, spec: specDefaults(objectAt(service, 'spec')) }),
  onCreate: (service, world) => ({
    ...allocated(service, world),
    status: { loadBalancer: {} },
  }),
  onUpdate: (service, previous, world) => {
    const before = objectAt(previous, 'spec');
    const spec = filled(objectAt(service, 'spec'), {
      clusterIP: before.clusterIP,
      clusterIPs: before.clusterIPs,
    });
    return allocated({ ...service, spec }, world);
  },
  validate: serviceErrors,
  validateUpdate: (service, previous) => {
    const before = textAt(previous, 'spec', 'clusterIP');
    const after = textAt(service, 'spec', 'clusterIP');
    const isExternal = [service, previous].some((one) => typeOf(one) === 'ExternalName');
    if (before === after || isExternal || before === undefined) return [];
    return [invalid('spec.clusterIPs[0]', [after ?? ''], 'may not change once set')];
  },
};

function specDefaults(spec: JsonObject): JsonObject {
  const whole = filled(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  const isExternal = whole.type === 'ExternalName';
  const isPublic = whole.type === 'NodePort' || whole.type === 'LoadBalancer';
  const filledIn = filled(whole, {
    internalTrafficPolicy: isExternal ? undefined : 'Cluster',
    externalTrafficPolicy: isPublic ? 'Cluster' : undefined,
    allocateLoadBalancerNodePorts: whole.type === 'LoadBalancer' ? true : undefined,
  });
  if (spec.ports === undefined) return filledIn;
  return { ...filledIn, ports: listAt(spec, 'ports').map(portDefaults) };
}

function portDefaults(port: Json): Json {
  return isObject(port) ? filled(port, { protocol: 'TCP', targetPort: port.port }) : port;
}

/** Gives the service the lowest free address, and ports of nodes where its type has them. */
function allocated(service: ApiObject, world: RuleWorld): ApiObject {
  const spec = objectAt(service, 'spec');
  if (spec.type === 'ExternalName') return service;
  const others = world
    .list('services')
    .filter((other) => other.metadata.uid !== service.metadata.uid);
  const address = textAt(spec, 'clusterIP') || freeAddress(others);
  const withAddress = filled(
    { ...spec, clusterIP: address, clusterIPs: [address] },
    { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  );
  return { ...service, spec: withNodePorts(withAddress, others) };
}

/** 10.96.0.0/16, of which the first address belongs to the API server. */
function freeAddress(others: readonly ApiObject[]): string {
  const taken = new Set(others.map((other) => textAt(other, 'spec', 'clusterIP')));
  for (let i = 1; ; i++) {
    const address = `10.96.${i >> 8}.${i & 255}`;
    if (!taken.has(address)) return address;
  }
}

function withNodePorts(spec: JsonObject, others: readonly ApiObject[]): JsonObject {
  if (spec.type !== 'NodePort' && spec.type !== 'LoadBalancer') return spec;
  const taken = new Set(
    [...others.flatMap((other) => listAt(other, 'spec', 'ports')), ...listAt(spec, 'ports')].map(
      (port) => numberAt(port, 'nodePort'),
    ),
  );
  let next = 30_000;
  const ports = listAt(spec, 'ports').map((port) => {
    if (!isObject(port) || numberAt(port, 'nodePort')) return port;
    while (taken.has(next)) next++;
    taken.add(next);
    return { ...port, nodePort: next };
  });
  return { ...spec, ports };
}

function typeOf(service: ApiObject): string | undefined {
  return textAt(service, 'spec', 'type');
}

function serviceErrors(service: ApiObject): readonly FieldError[] {
  const spec = objectAt(service, 'spec');
  const ports = listAt(spec, 'ports');
  const isHeadless = spec.clusterIP === 'None';
  if (ports.length === 0 && !isHeadless && spec.type !== 'ExternalName') {
    return [required('spec.ports')];
  }
  return ports.flatMap((port, i) => {
    const number = numberAt(port, 'port') ?? 0;
    const at = `spec.ports[${i}]`;
    const errors: FieldError[] = [];
    if (ports.length > 1 && (textAt(port, 'name') ?? '') === '')
      errors.push(required(`${at}.name`));
    if (number < 1 || number > 65_535) {
      errors.push(invalid(`${at}.port`, number, 'must be between 1 and 65535, inclusive'));
    }
    return errors;
  });
}
