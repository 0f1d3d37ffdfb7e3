import { Command } from 'commander';
import { stringify } from 'yaml';
import { customResourceDefinitions } from '../api/crds.ts';

/** `karpenter crds`: the definitions to install before the controller runs. */
export function crdsCommand(): Command {
  return new Command('crds')
    .description('print the CustomResourceDefinitions as YAML')
    .action(() => {
      for (const crd of customResourceDefinitions()) process.stdout.write(`---\n${stringify(crd)}`);
    });
}
