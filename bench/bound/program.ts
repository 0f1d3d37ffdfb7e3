import type { Demands } from './demands.ts';
import type { UsefulCell } from './useful-cells.ts';

export interface ProgramParts {
  readonly demands: Demands;
  readonly cells: readonly UsefulCell[];
  readonly resources: readonly string[];
}

/**
 * The linear program in the CPLEX format: `n<c>` nodes of cell c are bought, `p<d>_<c>` pods of
 * demand d go there, and `l<g>` is the emptiest zone of spread group g.
 */
export function programOf(parts: ProgramParts): string {
  const { cells } = parts;
  const price = cells.map((cell, c) => `${cell.offering.priceUsdPerHour} n${c}`);
  const rows = [
    ...placingRows(parts),
    ...roomRows(parts),
    ...solitaryRows(parts),
    ...spreadRows(parts),
  ];
  return `Minimize\n ${lines(price)}\nSubject To\n ${rows.join('\n ')}\nEnd\n`;
}

/** Every pod is somewhere. */
function placingRows({ demands, cells }: ProgramParts): readonly string[] {
  return demands.demands.map(({ amount, sample }, d) => {
    const terms = cells.flatMap((cell, c) => (cell.takes[d] === true ? [`p${d}_${c}`] : []));
    if (terms.length === 0) throw new Error(`no purchase takes pod ${sample.name}`);
    return `${lines(terms)} = ${amount}`;
  });
}

/** No node holds more than it has, in cores, gibibytes and pieces. */
function roomRows({ demands, cells, resources }: ProgramParts): readonly string[] {
  return cells.flatMap((cell, c) =>
    resources.flatMap((name, r) => {
      const scale = scaleOf(name);
      const terms = demands.demands.flatMap(({ sample }, d) => {
        const asked = sample.requests[name] ?? 0;
        return cell.takes[d] === true && asked > 0 ? [`${asked / scale} p${d}_${c}`] : [];
      });
      if (terms.length === 0) return [];
      return [`${lines(terms)} - ${(cell.free[r] ?? 0) / scale} n${c} <= 0`];
    }),
  );
}

function scaleOf(resource: string): number {
  if (resource === 'cpu') return 1000;
  return resource === 'memory' || resource.endsWith('storage') ? 2 ** 30 : 1;
}

/** Of pods that refuse their own kind, a node holds one. */
function solitaryRows({ demands, cells }: ProgramParts): readonly string[] {
  return demands.solitary.flatMap((_, group) =>
    cells.flatMap((cell, c) => {
      const terms = demands.demands.flatMap((demand, d) =>
        demand.solitary === group && cell.takes[d] === true ? [`p${d}_${c}`] : [],
      );
      return terms.length === 0 ? [] : [`${lines(terms)} - n${c} <= 0`];
    }),
  );
}

/**
 * No zone holds more than the emptiest one and the skew. Of pods of different size, only zones
 * that all of them can use count as empty: which others count differs from pod to pod.
 */
function spreadRows(parts: ProgramParts): readonly string[] {
  return parts.demands.spreads.flatMap((maxSkew, group) => {
    const members = parts.demands.demands.flatMap((demand, d) =>
      demand.spread === group ? [termsByZone(parts, d)] : [],
    );
    const zones = new Set(members.flatMap((member) => [...member.keys()]));
    return [...zones].flatMap((zone) => {
      const terms = lines(members.flatMap((member) => member.get(zone) ?? []));
      const isShared = members.every((member) => member.has(zone));
      return [
        `${terms} - l${group} <= ${maxSkew}`,
        ...(isShared ? [`${terms} - l${group} >= 0`] : []),
      ];
    });
  });
}

function termsByZone({ cells }: ProgramParts, d: number): ReadonlyMap<string, string[]> {
  const zones = new Map<string, string[]>();
  cells.forEach((cell, c) => {
    if (cell.takes[d] !== true) return;
    const { zone } = cell.offering;
    zones.set(zone, [...(zones.get(zone) ?? []), `p${d}_${c}`]);
  });
  return zones;
}

/** Terms joined by plus, a few to a line: the format does not like long ones. */
function lines(terms: readonly string[]): string {
  const rows: string[] = [];
  for (let from = 0; from < terms.length; from += 8)
    rows.push(terms.slice(from, from + 8).join(' + '));
  return rows.join('\n + ');
}
