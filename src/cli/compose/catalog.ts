import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Catalog, loadCatalog } from '../../world/aws/catalog.ts';

/** The EC2 catalogue that ships with the project. */
export function readCatalog(): Catalog {
  const file = fileURLToPath(new URL('../../../data/ec2-catalog.json', import.meta.url));
  return loadCatalog(readFileSync(file, 'utf8'));
}
