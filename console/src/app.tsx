import type { JSX } from 'preact';
import type { ClusterView } from '../../src/server/view.ts';
import { DecisionStream } from './decision-stream.tsx';
import { cores, gibibytes, percent, usdPerHour, usdPerMonth } from './format.ts';
import { NodeBox, poolClass } from './node-box.tsx';
import { measureOf } from './node-picture.ts';
import { groupPending } from './pending-groups.ts';
import { Reasons } from './reasons.tsx';
import { connection, type Scale, scale, view } from './state.ts';
import { openWhatIf, WhatIf } from './what-if.tsx';

const scales: readonly Scale[] = ['cpu', 'memory', 'price'];
const connectionWord = {
  connecting: 'connecting …',
  live: 'live',
  lost: 'connection lost, trying again',
};

/** The first page: totals, every node as a box, pending pods with reasons, decisions in sentences. */
export function App(): JSX.Element {
  const current = view.value;
  return (
    <>
      <header class="top">
        <h1>
          Karpenter <small>{current?.clusterName ?? ''}</small>
        </h1>
        {current !== undefined && (
          <button type="button" onClick={() => openWhatIf()}>
            What if …
          </button>
        )}
        <span class={`connection ${connection.value}`} role="status">
          {connectionWord[connection.value]}
        </span>
      </header>
      {current === undefined ? (
        <p class="empty">Waiting for the first view of the cluster …</p>
      ) : (
        <Cluster view={current} />
      )}
    </>
  );
}

function Cluster({ view: current }: { view: ClusterView }): JSX.Element {
  return (
    <>
      <Totals view={current} />
      <main>
        <div class="left">
          <Nodes view={current} />
          <Pending view={current} />
          <WhatIf />
        </div>
        <DecisionStream />
      </main>
    </>
  );
}

function Totals({ view: { totals } }: { view: ClusterView }): JSX.Element {
  const tiles: readonly (readonly [string, string, string])[] = [
    ['nodes', String(totals.nodes), ''],
    ['pods placed', String(totals.podsRunning), ''],
    ['pods pending', String(totals.podsPending), totals.podsPending > 0 ? 'attention' : ''],
    ['per hour', usdPerHour(totals.usdPerHour).replace('/h', ''), 'money'],
    ['per month', usdPerMonth(totals.usdPerMonth), 'money'],
    [
      'cpu requested',
      percent(totals.cpuMillis.requested, totals.cpuMillis.allocatable),
      `of ${cores(totals.cpuMillis.allocatable)} cores`,
    ],
    [
      'memory requested',
      percent(totals.memoryBytes.requested, totals.memoryBytes.allocatable),
      `of ${gibibytes(totals.memoryBytes.allocatable)} GiB`,
    ],
  ];
  return (
    <dl class="totals">
      {tiles.map(([name, value, note]) => (
        <div key={name} class={note === 'attention' || note === 'money' ? note : ''}>
          <dt>{name}</dt>
          <dd>
            {value} {note.startsWith('of') && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Nodes({ view: current }: { view: ClusterView }): JSX.Element {
  const largest = Math.max(0, ...current.nodes.map((node) => measureOf(node, scale.value)));
  return (
    <section aria-labelledby="nodes-title">
      <div class="bar">
        <h2 id="nodes-title">Nodes</h2>
        <fieldset>
          <legend>area stands for</legend>
          {scales.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={scale.value === name}
              onClick={() => {
                scale.value = name;
              }}
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      <ul class="pools">
        {current.pools.map((pool) => (
          <li key={pool.name} class={poolClass(pool.name)}>
            <i /> {pool.name}{' '}
            <small>
              {pool.nodes} nodes, {usdPerHour(pool.usdPerHour)}
            </small>
            {pool.notReady !== undefined && <em>{pool.notReady}</em>}
          </li>
        ))}
        <li class="pool-none">
          <i /> no pool
        </li>
      </ul>
      <div class="nodes">
        {current.nodes.map((node) => (
          <NodeBox
            key={node.claimName ?? node.name}
            node={node}
            scale={scale.value}
            largest={largest}
            {...(node.isLeaving ? {} : { onAsk: () => openWhatIf(node.name) })}
          />
        ))}
        {current.nodes.length === 0 && <p class="empty">The cluster has no nodes.</p>}
      </div>
    </section>
  );
}

function Pending({ view: current }: { view: ClusterView }): JSX.Element {
  const groups = groupPending(current.pending);
  return (
    <section aria-labelledby="pending-title">
      <h2 id="pending-title">Pending pods</h2>
      {groups.length === 0 && <p class="empty">None: every pod has a place.</p>}
      <ul class="pending">
        {groups.map((group) => (
          <li key={group.reason} class={group.isRefused ? 'refused' : ''}>
            <strong>{group.count} × </strong>
            {group.reason}
            {group.tree !== undefined && <Reasons reason={current.reasons[group.tree]} />}
            <small>
              {group.names.slice(0, 3).join(', ')}
              {group.count > 3 ? ' …' : ''}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
