import { type Json, listAt, valueAt } from '../json.ts';
import { selectorText } from '../selector/selector-text.ts';
import { countAt, orElse, wordAt } from './cell-value.ts';
import { ageColumn, type ColumnRule, nameColumn, text, wide } from './column.ts';
import { labelsText } from './labels-text.ts';

export const serviceColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Type', 'How the service is reached.', (service) => wordAt(service, 'spec', 'type')),
  text('Cluster-IP', 'Address inside the cluster.', clusterIpCell),
  text('External-IP', 'Addresses outside the cluster.', externalIpCell),
  text('Port(s)', 'Ports, with node ports where there are any.', portsCell),
  ageColumn,
  wide(
    text('Selector', 'Labels of the pods behind it.', (service) =>
      labelsText(valueAt(service, 'spec', 'selector')),
    ),
  ),
];

export const endpointsColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Endpoints', 'The first addresses and ports.', endpointsCell),
  ageColumn,
];

export const endpointSliceColumns: readonly ColumnRule[] = [
  nameColumn,
  text('AddressType', 'Kind of the addresses.', (slice) => wordAt(slice, 'addressType')),
  text('Ports', 'The first ports.', (slice) =>
    shorten(
      listAt(slice, 'ports').map((port) =>
        orElse(wordAt(port, 'port'), orElse(wordAt(port, 'name'), '*')),
      ),
      '<unset>',
    ),
  ),
  text('Endpoints', 'The first addresses.', (slice) =>
    shorten(
      listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String)),
      '<unset>',
    ),
  ),
  ageColumn,
];

export const ingressColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Class', 'Who serves it.', (ingress) =>
    orElse(wordAt(ingress, 'spec', 'ingressClassName'), '<none>'),
  ),
  text('Hosts', 'Host names it answers for.', (ingress) => {
    const hosts = listAt(ingress, 'spec', 'rules').map((rule) => wordAt(rule, 'host'));
    return shorten(
      hosts.filter((host) => host !== ''),
      '*',
    );
  }),
  text('Address', 'Addresses of its load balancer.', loadBalancerAddresses),
  text('Ports', 'Ports it listens on.', (ingress) =>
    listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80',
  ),
  ageColumn,
];

export const networkPolicyColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Pod-Selector', 'Which pods it is about.', (policy) =>
    orElse(selectorText(valueAt(policy, 'spec', 'podSelector')), '<none>'),
  ),
  ageColumn,
];

function clusterIpCell(service: Json | undefined): string {
  const [first] = listAt(service, 'spec', 'clusterIPs');
  return first === undefined
    ? orElse(wordAt(service, 'spec', 'clusterIP'), '<none>')
    : String(first);
}

function externalIpCell(service: Json | undefined): string {
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  switch (wordAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return orElse(external.join(','), '<none>');
    case 'LoadBalancer': {
      const balanced = loadBalancerAddresses(service);
      const all = balanced === '' ? external : [balanced, ...external];
      return orElse(all.join(','), '<pending>');
    }
    case 'ExternalName':
      return wordAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function loadBalancerAddresses(object: Json | undefined): string {
  const addresses = listAt(object, 'status', 'loadBalancer', 'ingress').map((ingress) =>
    orElse(wordAt(ingress, 'ip'), wordAt(ingress, 'hostname')),
  );
  return [...new Set(addresses)]
    .filter((address) => address !== '')
    .sort()
    .join(',');
}

function portsCell(service: Json | undefined): string {
  const ports = listAt(service, 'spec', 'ports').map((port) => {
    const nodePort = countAt(port, 'nodePort');
    const number = nodePort > 0 ? `${wordAt(port, 'port')}:${nodePort}` : wordAt(port, 'port');
    return `${number}/${orElse(wordAt(port, 'protocol'), 'TCP')}`;
  });
  return orElse(ports.join(','), '<none>');
}

function endpointsCell(endpoints: Json | undefined): string {
  const addresses = listAt(endpoints, 'subsets').flatMap((subset) => {
    const ips = listAt(subset, 'addresses').map((address) => wordAt(address, 'ip'));
    const ports = listAt(subset, 'ports').map((port) => wordAt(port, 'port'));
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
  });
  return shorten(addresses, '<none>');
}

function hostPort(ip: string, port: string): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

const shown = 3;

function shorten(entries: readonly string[], whenEmpty: string): string {
  if (entries.length === 0) return whenEmpty;
  const head = entries.slice(0, shown).join(',');
  return entries.length > shown ? `${head} + ${entries.length - shown} more...` : head;
}
