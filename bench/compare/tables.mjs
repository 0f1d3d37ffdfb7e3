// What compare.mjs prints: one row per engine and scenario, how their answers differ, and a table of ratios.

export const round = (value, digits = 1) =>
  value === undefined || value === null ? '' : Number(value.toFixed(digits));

/** How many types the orders name: the middle, and the fewest. An engine that does not say has neither. */
export function typesPerOrder({ new_nodes: orders = [] }) {
  const counts = orders
    .map((order) => order.n_instance_types)
    .filter((count) => count !== undefined)
    .sort((a, b) => a - b);
  if (counts.length === 0) return undefined;
  return { median: counts[Math.floor(counts.length / 2)], min: counts[0] };
}

function typesText(result) {
  const types = typesPerOrder(result);
  return types === undefined ? '' : `${types.median} (${types.min})`;
}

function solveRow(label, engine, r) {
  return {
    scenario: label,
    engine,
    'pods/s': round(r.pods_per_second),
    'solve ms min': round(r.solve_ms.min, 0),
    median: round(r.solve_ms.median, 0),
    'cpu ms': round(r.solve_cpu_ms?.min, 0),
    'set-up ms': round(r.setup_ms.min, 0),
    'truncate ms': round(r.truncate_ms?.min, 0),
    'pods/s in all': round(r.total_pods_per_second),
    nodes: r.new_node_count,
    'types per order (fewest)': typesText(r),
    '$/h': round(r.cost_per_hour, 3),
    'dearest $/h': round(r.dearest_cost_per_hour, 3),
    refused: r.unschedulable_count,
    undecided: r.undecided,
    'alloc MiB': round(r.solve_allocated_mib, 0),
    'rss MiB': round(r.machine?.max_rss_mib, 0),
    load: r.machine?.load_average_1m,
  };
}

function consolidateRows(label, engine, r) {
  return r.methods.map((m) => ({
    scenario: label,
    engine,
    method: m.method,
    candidates: m.candidates,
    'looked at': m.simulations,
    'wall ms': round(m.wall_ms, 0),
    'ms each': round(m.ms_per_simulation),
    'cpu ms each': m.simulations ? round(m.compute_cpu_ms / m.simulations) : '',
    'per s': m.ms_per_simulation ? round(1000 / m.ms_per_simulation, 2) : '',
    'timed out': m.timed_out,
    commands: m.command_count,
    removed: m.commands?.reduce((sum, c) => sum + c.removed.length, 0) ?? 0,
    'saves $/h': round(m.savings_per_hour, 3),
    'of $/h': round(r.cost_per_hour, 3),
    'rss MiB': round(r.machine?.max_rss_mib, 0),
    load: r.machine?.load_average_1m,
  }));
}

function convergeRow(label, engine, r) {
  return {
    scenario: label,
    engine,
    rounds: r.rounds,
    evictions: r.evictions,
    launches: r.launches,
    terminations: r.terminations,
    'compute s': round(r.compute_ms / 1000),
    simulations: r.simulations,
    stopped: r.stopped,
    'nodes before': r.before.nodes,
    after: r.after.nodes,
    '$/h before': round(r.before.cost_per_hour, 3),
    '$/h after': round(r.after.cost_per_hour, 3),
    load: r.machine?.load_average_1m,
  };
}

export const rowsOf = {
  solve: (label, engine, r) => [solveRow(label, engine, r)],
  consolidate: consolidateRows,
  converge: (label, engine, r) => [convergeRow(label, engine, r)],
};

// How an engine's answer differs from the anchor's. Error texts may differ; who is refused may not.
export function differences(job, anchor, other) {
  if (job.command !== 'solve') return [];
  const a = new Set(Object.keys(anchor.unschedulable));
  const b = new Set(Object.keys(other.unschedulable));
  const onlyAnchor = [...a].filter((p) => !b.has(p));
  const onlyOther = [...b].filter((p) => !a.has(p));
  return [
    `speed x${round(other.pods_per_second / anchor.pods_per_second, 2)}`,
    `cost x${round(other.cost_per_hour / anchor.cost_per_hour, 4)}`,
    `nodes ${other.new_node_count} against ${anchor.new_node_count}`,
    onlyAnchor.length
      ? `places ${onlyAnchor.length} pods the anchor refuses, e.g. ${onlyAnchor[0]}`
      : '',
    onlyOther.length
      ? `refuses ${onlyOther.length} pods the anchor places, e.g. ${onlyOther[0]}`
      : '',
  ].filter(Boolean);
}

export function table(rows) {
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((c) => row[c] ?? ''))),
  ].join('\n');
}

// One line per scenario: how many times the anchor's speed, cost and nodes the other engine has. Set-up counts.
export function ratioRow(label, anchor, other) {
  const refused = (result) => Object.keys(result.unschedulable);
  const only = (a, b) => refused(a).filter((pod) => b.unschedulable[pod] === undefined).length;
  return {
    scenario: label,
    'anchor pods/s': round(anchor.total_pods_per_second),
    'ours pods/s': round(other.total_pods_per_second),
    'speed x': round(other.total_pods_per_second / anchor.total_pods_per_second),
    // Processor time of the solve alone: on a busy machine it says more than the clock does.
    'cpu speed x': round(anchor.solve_cpu_ms.min / other.solve_cpu_ms.min),
    'anchor $/h': round(anchor.cost_per_hour, 3),
    'ours $/h': round(other.cost_per_hour, 3),
    'cost x': round(other.cost_per_hour / anchor.cost_per_hour, 3),
    'bound $/h': round(other.lower_bound, 3),
    'over bound x': round(other.ratio, 3),
    'dearest $/h': round(other.dearest_cost_per_hour, 3),
    'nodes anchor/ours': `${anchor.new_node_count}/${other.new_node_count}`,
    'types per order anchor/ours (fewest)': `${typesText(anchor)}/${typesText(other)}`,
    'refused anchor/ours': `${anchor.unschedulable_count}/${other.unschedulable_count}`,
    'refused by one': `${only(anchor, other)}/${only(other, anchor)}`,
    'largest node': round(other.largest_node_share, 3),
    'largest spot pool': round(other.largest_spot_pool_share, 3),
    'solve of JSON.parse, bare x': round(other.known_types_json_parse_ratio, 2),
    'of JSON.parse, bare x': round(other.json_parse_ratio_with_setup, 2),
    'of JSON.parse, served x': round(other.json_parse_served_ratio_with_setup, 2),
  };
}
