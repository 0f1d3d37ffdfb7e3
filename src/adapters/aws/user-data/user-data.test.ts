import { describe, expect, test } from 'vitest';
import type { Bootstrap } from './bootstrap.ts';
import { parseToml, writeToml } from './toml.ts';
import { userData } from './user-data.ts';

const plain: Bootstrap = {
  family: 'AL2023',
  cluster: {
    name: 'shop',
    endpoint: 'https://shop.eks',
    caBundle: 'Q0E=',
    version: '1.32',
    serviceCidr: '10.100.0.0/16',
  },
  labels: { 'karpenter.sh/nodepool': 'web', team: 'shop' },
  taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }],
  maxPods: 29,
  kubelet: {},
  clusterDns: ['10.100.0.10'],
  hasLocalRaid: false,
  userData: undefined,
};

function typesOf(text: string): string[] {
  return [...text.matchAll(/^--\/\/\nContent-Type: (.*)$/gm)].map((match) => match[1] ?? '');
}

const shell = 'text/x-shellscript; charset="us-ascii"';
const nodeConfig = 'application/node.eks.aws';

describe('AL2023', () => {
  test.each([
    ['a script', '#!/bin/bash\necho hello', [shell, nodeConfig]],
    [
      'a NodeConfig',
      'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig',
      [nodeConfig, nodeConfig],
    ],
    [
      'a MIME document',
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="XX"\n\n--XX\nContent-Type: text/cloud-config\n\npackages: [jq]\n--XX--\n',
      ['text/cloud-config', nodeConfig],
    ],
  ])('%s of the user comes before ours', (_, text, types) => {
    const written = userData({ ...plain, userData: text });
    expect(typesOf(written)).toEqual(types);
    expect(written.match(/hello|apiVersion: node.eks.aws|packages: \[jq\]/)).not.toBeNull();
  });

  test('local disks become one', () => {
    expect(userData({ ...plain, hasLocalRaid: true })).toContain('strategy: RAID0');
  });

  test('without the service range nothing can be written', () => {
    const { serviceCidr: _, ...cluster } = plain.cluster;
    expect(() => userData({ ...plain, cluster: { ...cluster, serviceCidr: undefined } })).toThrow(
      expect.objectContaining({ kind: 'node-class-not-ready' }),
    );
  });

  test('a MIME document without a boundary is refused', () => {
    expect(() => userData({ ...plain, userData: 'Content-Type: text/plain\n\nx' })).toThrow(
      expect.objectContaining({ reason: 'UserDataInvalid' }),
    );
  });
});

test('AL2 runs the EKS bootstrap script with flags for kubelet, after the script of the user', () => {
  const written = userData({
    ...plain,
    family: 'AL2',
    userData: 'echo hello',
    kubelet: {
      systemReserved: { memory: '1Gi', cpu: '1' },
      evictionHard: { 'pid.available': '5%' },
    },
  });
  expect(typesOf(written)).toEqual([shell, shell]);
  expect(written.indexOf('echo hello')).toBeLessThan(written.indexOf('bootstrap.sh'));
  expect(written).toContain(
    `/etc/eks/bootstrap.sh 'shop' --apiserver-endpoint 'https://shop.eks' \\
--b64-cluster-ca 'Q0E=' \\
--dns-cluster-ip '10.100.0.10' \\
--use-max-pods false \\
--kubelet-extra-args '--node-labels="karpenter.sh/nodepool=web,team=shop" --register-with-taints="karpenter.sh/unregistered=:NoExecute" --max-pods=29 --system-reserved="cpu=1,memory=1Gi" --eviction-hard="pid.available<5%"'
`,
  );
});

test('Bottlerocket gets settings: ours over those of the user, unknown Kubernetes keys dropped', () => {
  const written = userData({
    ...plain,
    family: 'Bottlerocket',
    userData: `
[settings.kubernetes]
max-pods = 5 # ours wins
not-a-setting = true
[settings.kubernetes.node-labels]
"example.com/a" = "1"
[settings.host-containers.admin]
enabled = true
`,
  });
  expect(parseToml(written)).toEqual({
    settings: {
      'host-containers': { admin: { enabled: true } },
      kubernetes: {
        'api-server': 'https://shop.eks',
        'cluster-certificate': 'Q0E=',
        'cluster-dns-ip': '10.100.0.10',
        'cluster-name': 'shop',
        'max-pods': 29,
        'node-labels': { 'example.com/a': '1', 'karpenter.sh/nodepool': 'web', team: 'shop' },
        'node-taints': { 'karpenter.sh/unregistered': [':NoExecute'] },
      },
    },
  });
});

test('custom images get the text of the user and nothing else', () => {
  expect(userData({ ...plain, family: 'Custom', userData: 'mine' })).toBe('mine');
});

describe('TOML', () => {
  test.each([
    ['a = 1\nb.c = "x"', { a: 1, b: { c: 'x' } }],
    ['a = [1, [2, "#"], ] # end', { a: [1, [2, '#']] }],
    ['t = { k = \'v\', "q.r" = true }', { t: { k: 'v', 'q.r': true } }],
    ['s = """\nline\n"""', { s: 'line\n' }],
    ['e = "tab\\t\\u0041"', { e: 'tab\tA' }],
    ['[a.b]\nc = -1.5\n[a]\nd = 1_000', { a: { b: { c: -1.5 }, d: 1_000 } }],
  ])('%j is read, and what is written reads the same', (text, table) => {
    expect(parseToml(text)).toEqual(table);
    expect(parseToml(writeToml(parseToml(text)))).toEqual(table);
  });

  test.each(['a = ', 'a 1', '[a', 'a = 1\na = 2', '[[a]]', 'a = 1 b = 2', 'd = 2026-01-01'])(
    '%j is refused with its line',
    (text) => {
      expect(() => parseToml(text)).toThrow(/^line \d+: /);
    },
  );
});

test('Windows runs the commands of the user and then the EKS script, in one block', () => {
  const written = userData({
    ...plain,
    family: 'Windows2022',
    userData: 'Write-Host "hello"',
    kubelet: { systemReserved: { memory: '1Gi' } },
  });
  expect(written).toBe(
    [
      '<powershell>',
      'Write-Host "hello"',
      '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
      "& $EKSBootstrapScriptFile -EKSClusterName 'shop' -APIServerEndpoint 'https://shop.eks' -Base64ClusterCA 'Q0E=' " +
        `-KubeletExtraArgs '--node-labels="karpenter.sh/nodepool=web,team=shop" ` +
        `--register-with-taints="karpenter.sh/unregistered=:NoExecute" --max-pods=29 --system-reserved="memory=1Gi"' ` +
        "-DNSClusterIP '10.100.0.10'",
      '</powershell>',
    ].join('\n'),
  );
});
