import { described, int32, list, object, oneOf, optional, ruled } from '../../schema/vocabulary.ts';

/** How the network interfaces of machines are made. */

export const networkInterface = object({
  networkCardIndex: described('The network card, counted from 0.', int32({ minimum: 0 })),
  deviceIndex: described('The device on that card, counted from 0.', int32({ minimum: 0 })),
  interfaceType: described(
    '`interface` carries IP traffic, `efa-only` only that of the Elastic Fabric Adapter.',
    oneOf(['interface', 'efa-only']),
  ),
});

export const networkInterfaces = ruled(
  described(
    'The network interfaces that machines start with. Without them EC2 gives one.',
    list(networkInterface, { maxItems: 150 }),
  ),
  {
    rule: "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')",
    message:
      "network card 0 needs device 0 with interfaceType 'interface', the primary one of the machine",
  },
  {
    rule: "self.all(x, self.filter(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex).size() == 1 && (x.interfaceType != 'efa-only' || self.filter(y, x.networkCardIndex == y.networkCardIndex && y.interfaceType == 'efa-only').size() == 1))",
    message:
      "a pair of networkCardIndex and deviceIndex may stand here once, and 'efa-only' once for each card",
  },
);

export const connectionTracking = ruled(
  described(
    'How long idle connections are remembered by the security groups.',
    object({
      tcpEstablishedTimeout: optional(
        described(
          'Seconds for established TCP connections.',
          int32({ minimum: 60, maximum: 432000 }),
        ),
      ),
      udpStreamTimeout: optional(
        described(
          'Seconds for UDP flows that have seen more than one request and answer.',
          int32({ minimum: 60, maximum: 180 }),
        ),
      ),
      udpTimeout: optional(
        described(
          'Seconds for UDP flows with traffic in one direction or a single exchange.',
          int32({ minimum: 30, maximum: 60 }),
        ),
      ),
    }),
  ),
  {
    rule: 'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
    message: "'connectionTracking' needs at least one timeout",
  },
);
