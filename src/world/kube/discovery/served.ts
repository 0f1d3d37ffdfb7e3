import type { Kind, KindRegistry } from '../kinds.ts';
import { compareVersions } from './version-order.ts';

/** Every group but the core one, in the order of registration. */
export function groupNames(kinds: KindRegistry): readonly string[] {
  return [...new Set(kinds.all().map((kind) => kind.group))].filter((group) => group !== '');
}

/** The versions of a group, the preferred one first. */
export function versionsOf(kinds: KindRegistry, group: string): readonly string[] {
  const served = kinds.all().filter((kind) => kind.group === group);
  return [...new Set(served.map((kind) => kind.version))].sort(compareVersions);
}

/** The kinds of one group version in the order of their names, as the real server lists them. */
export function servedIn(kinds: KindRegistry, group: string, version: string): readonly Kind[] {
  return kinds
    .all()
    .filter((kind) => kind.group === group && kind.version === version)
    .sort((a, b) => (a.plural < b.plural ? -1 : 1));
}
