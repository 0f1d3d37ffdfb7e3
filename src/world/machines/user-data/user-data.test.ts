import { describe, expect, test } from 'vitest';
import { parseUserData } from './user-data.ts';

const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };

describe('an AL2023 image', () => {
  test('reads the NodeConfig of a MIME archive', () => {
    const userData = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="//"',
      '',
      '--//',
      'Content-Type: application/node.eks.aws',
      '',
      '# generated',
      'apiVersion: node.eks.aws/v1alpha1',
      'kind: NodeConfig',
      'spec:',
      '  cluster:',
      '    name: demo',
      '    apiServerEndpoint: https://127.0.0.1:6443',
      '    certificateAuthority: Y2E=',
      '    cidr: 10.100.0.0/16',
      '  kubelet:',
      '    config:',
      '      maxPods: 29',
      '      clusterDNS: [10.100.0.10]',
      '      kubeReserved: { cpu: 70m }',
      '      registerWithTaints:',
      '      - key: karpenter.sh/unregistered',
      '        effect: NoExecute',
      '    flags:',
      '    - --node-labels="karpenter.sh/nodepool=web,karpenter.sh/capacity-type=spot"',
      '',
      '--//--',
      '',
    ].join('\r\n');
    expect(parseUserData(userData)).toEqual({
      family: 'al2023',
      clusterName: 'demo',
      apiServerEndpoint: 'https://127.0.0.1:6443',
      certificateAuthority: 'Y2E=',
      labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.sh/capacity-type': 'spot' },
      taints: [unregistered],
      maxPods: 29,
      kubeReserved: { cpu: '70m' },
      systemReserved: undefined,
      evictionHard: undefined,
      clusterDns: '10.100.0.10',
    });
  });

  test('lets a later NodeConfig win field by field and collects flags', () => {
    const config = (spec: string): string =>
      `--//\nContent-Type: application/node.eks.aws\n\napiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: ${spec}\n`;
    const userData = `Content-Type: multipart/mixed; boundary=//\n\n${config(
      '{ kubelet: { config: { maxPods: 8, evictionHard: { memory.available: 5% } }, flags: ["--node-labels=team=a,tier=1"] } }',
    )}${config(
      '{ cluster: { name: demo, apiServerEndpoint: "https://x" }, kubelet: { config: { maxPods: 20 }, flags: ["--node-labels=team=b"] } }',
    )}--//--`;
    expect(parseUserData(userData)).toMatchObject({
      maxPods: 20,
      evictionHard: { 'memory.available': '5%' },
      labels: { team: 'b', tier: '1' },
    });
  });
});

test('an AL2 image reads the arguments of its bootstrap script', () => {
  const userData = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    '',
    '#!/bin/bash -xe',
    'exec > >(tee /var/log/user-data.log) 2>&1',
    "/etc/eks/bootstrap.sh 'demo' --apiserver-endpoint 'https://api' --b64-cluster-ca 'Y2E=' \\",
    "--dns-cluster-ip '10.100.0.10' --use-max-pods false \\",
    `--kubelet-extra-args '--node-labels="a=b" --register-with-taints="karpenter.sh/unregistered:NoExecute,x=y:NoSchedule" --max-pods=29 --eviction-hard="memory.available<5%"'`,
    'echo done',
    '--//--',
  ].join('\n');
  expect(parseUserData(userData)).toMatchObject({
    family: 'al2',
    clusterName: 'demo',
    apiServerEndpoint: 'https://api',
    certificateAuthority: 'Y2E=',
    clusterDns: '10.100.0.10',
    labels: { a: 'b' },
    taints: [unregistered, { key: 'x', value: 'y', effect: 'NoSchedule' }],
    maxPods: 29,
    evictionHard: { 'memory.available': '5%' },
  });
});

test('a Bottlerocket image reads its settings', () => {
  const userData = `
[settings]
[settings.kubernetes]
api-server = 'https://api'
cluster-name = "demo"
cluster-certificate = "Y2E="
max-pods = 58
cluster-dns-ip = ["10.100.0.10"]

[settings.kubernetes.node-labels]
"karpenter.sh/nodepool" = 'web'
tier = '1'

[settings.kubernetes.node-taints]
"karpenter.sh/unregistered" = [':NoExecute']
dedicated = ["gpu:NoSchedule",
  "gpu:NoExecute"]

[settings.kubernetes.kube-reserved]
memory = '893Mi'
`;
  expect(parseUserData(userData)).toMatchObject({
    family: 'bottlerocket',
    clusterName: 'demo',
    apiServerEndpoint: 'https://api',
    maxPods: 58,
    clusterDns: '10.100.0.10',
    labels: { 'karpenter.sh/nodepool': 'web', tier: '1' },
    taints: [
      unregistered,
      { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
      { key: 'dedicated', value: 'gpu', effect: 'NoExecute' },
    ],
    kubeReserved: { memory: '893Mi' },
  });
});

test('Windows runs the EKS script in a PowerShell block', () => {
  const userData = [
    '<powershell>',
    'Write-Host "hello"',
    "& $EKSBootstrapScriptFile -EKSClusterName 'demo' -APIServerEndpoint 'https://api' -Base64ClusterCA 'Q0E=' " +
      `-KubeletExtraArgs '--node-labels="tier=1" --register-with-taints="karpenter.sh/unregistered=:NoExecute" --max-pods=110' ` +
      "-DNSClusterIP '10.100.0.10'",
    '</powershell>',
  ].join('\n');
  expect(parseUserData(userData)).toMatchObject({
    family: 'windows',
    clusterName: 'demo',
    apiServerEndpoint: 'https://api',
    certificateAuthority: 'Q0E=',
    clusterDns: '10.100.0.10',
    labels: { tier: '1' },
    taints: [unregistered],
    maxPods: 110,
  });
});

describe('a machine stays out of every cluster', () => {
  test.each([
    { name: 'without user data', userData: '' },
    { name: 'with a script that joins nothing', userData: '#!/bin/bash\necho hello' },
    {
      name: 'with a NodeConfig that names no cluster',
      userData: 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {}',
    },
  ])('$name', ({ userData }) => {
    expect(parseUserData(userData)).toHaveProperty('kind', 'not-bootable');
  });
});
