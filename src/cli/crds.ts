import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { type CustomResourceDefinition, customResourceDefinitions } from '../api/crds.ts';
import { withV1beta1 } from '../api/v1beta1/definitions.ts';
import { portNumber } from './arguments.ts';
import {
  chartTemplates,
  definitionYaml,
  fieldPages,
  type GeneratedFile,
} from './crds/generated-files.ts';

interface CrdsOptions extends ServedVersions {
  readonly chart?: string;
  readonly docs?: string;
}

interface ServedVersions {
  readonly v1beta1?: boolean;
  readonly webhookService: string;
  readonly webhookNamespace: string;
  readonly webhookServicePort: number;
}

/** `karpenter crds`: the definitions to install before the controller runs. */
export function crdsCommand(): Command {
  return new Command('crds')
    .description('print the CustomResourceDefinitions as YAML')
    .option('--chart <folder>', 'write them into the templates of a Helm chart instead')
    .option('--docs <folder>', 'write a page about the fields of each kind instead')
    .option('--v1beta1', 'print v1beta1 as well, converted by the webhook of the controller')
    .option('--webhook-service <name>', 'the Service in front of the webhook', 'karpenter')
    .option('--webhook-namespace <name>', 'its namespace', 'kube-system')
    .option('--webhook-service-port <port>', 'its port', portNumber, 8443)
    .action(({ chart, docs, ...served }: CrdsOptions) => {
      if (chart !== undefined) write(join(chart, 'templates'), chartTemplates());
      if (docs !== undefined) write(docs, fieldPages());
      if (chart === undefined && docs === undefined) print(wanted(served));
    });
}

function print(definitions: readonly CustomResourceDefinition[]): void {
  for (const crd of definitions) process.stdout.write(`---\n${definitionYaml(crd)}`);
}

function wanted(served: ServedVersions): readonly CustomResourceDefinition[] {
  const definitions = customResourceDefinitions();
  if (served.v1beta1 !== true) return definitions;
  return withV1beta1(definitions, {
    kind: 'service',
    name: served.webhookService,
    namespace: served.webhookNamespace,
    port: served.webhookServicePort,
  });
}

function write(folder: string, files: readonly GeneratedFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
}
