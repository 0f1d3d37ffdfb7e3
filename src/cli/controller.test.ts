import { describe, expect, test, vi } from 'vitest';
import { type ControllerFlags, controllerCommand, karpenterSettings } from './controller.ts';

const zonal = `
podTopologySpread:
  defaultConstraints:
    - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
`;

/** The command line as the program reads it, up to where the controller would start. */
function flagsOf(...args: readonly string[]): ControllerFlags {
  const command = controllerCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action(() => {});
  command.parse(['--cluster-name', 'test', ...args], { from: 'user' });
  return command.opts<ControllerFlags>();
}

function settingsOf(...args: readonly string[]) {
  return karpenterSettings(flagsOf(...args), 'me', 'kube-system');
}

describe('--caution', () => {
  test('is a fifth unless told, and any number from 0 on', () => {
    expect(settingsOf().scheduling?.caution).toBe(0.2);
    expect(settingsOf('--caution', '0').scheduling?.caution).toBe(0);
    expect(settingsOf('--caution=2.5').scheduling?.caution).toBe(2.5);
  });

  test.each(['-1', 'much', '', ' ', 'NaN', 'Infinity'])(
    '"%s" is refused, by name and with what is allowed',
    (text) => {
      expect(() => flagsOf(`--caution=${text}`)).toThrow(/--caution.*give a number, 0 or more/);
    },
  );

  test('can be set by CAUTION, and the flag wins', () => {
    vi.stubEnv('CAUTION', '0.7');
    try {
      expect(settingsOf().scheduling?.caution).toBe(0.7);
      expect(settingsOf('--caution', '0.1').scheduling?.caution).toBe(0.1);
      vi.stubEnv('CAUTION', 'high');
      expect(() => flagsOf()).toThrow(/CAUTION.*give a number, 0 or more/);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('--scheduler-config', () => {
  const expected = [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
  ];

  test('gives pods no spread unless told', () => {
    expect(settingsOf().defaultSpread).toBeUndefined();
    expect(settingsOf('--scheduler-config', '').defaultSpread).toBeUndefined();
    expect(settingsOf('--scheduler-config', zonal).defaultSpread).toEqual(expected);
  });

  test('can be set by SCHEDULER_CONFIG', () => {
    vi.stubEnv('SCHEDULER_CONFIG', zonal);
    try {
      expect(settingsOf().defaultSpread).toEqual(expected);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('that is wrong stops the start, by name and with what is wrong in it', () => {
    const wrong = zonal.replace('maxSkew: 1', 'maxSkew: 0');
    expect(() => flagsOf('--scheduler-config', wrong)).toThrow(
      /--scheduler-config.*defaultConstraints\[0\]\.maxSkew must be a whole number above 0/s,
    );
  });
});
