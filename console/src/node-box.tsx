import type { JSX } from 'preact';
import type { NodeView } from '../../src/server/view.ts';
import { cores, gibibytes, usdPerHour } from './format.ts';
import { podWeights, sideOf, stageWord } from './node-picture.ts';
import { poolOrder, type Scale } from './state.ts';
import { treemap } from './treemap.ts';

const picture = { x: 0, y: 0, width: 100, height: 100 };

/** One node as a box whose area is to scale, with its pods inside. */
export function NodeBox(props: { node: NodeView; scale: Scale; largest: number }): JSX.Element {
  const { node, scale, largest } = props;
  const side = sideOf(node, scale, largest);
  const word = stageWord(node);
  return (
    <article
      class={`node node-${word.replace(' ', '-')} ${poolClass(node.poolName)}`}
      style={{ '--side': `${side}px` }}
      aria-label={describe(node)}
    >
      <header>
        <strong>{node.instanceType ?? 'unknown type'}</strong>
        <span>{node.usdPerHour === undefined ? '' : usdPerHour(node.usdPerHour)}</span>
      </header>
      <Pods node={node} side={side} />
      <footer title={node.name}>
        <span>{node.zone ?? ''}</span>
        <span>{word === 'ready' ? (node.capacityType ?? '') : word}</span>
      </footer>
    </article>
  );
}

function Pods({ node, side }: { node: NodeView; side: number }): JSX.Element {
  const tiles = treemap(podWeights(node), picture);
  const gap = Math.min(0.6, 60 / Math.max(side, 1));
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${node.pods.length} pods`}
    >
      {tiles.map((tile, index) => {
        const pod = node.pods[index];
        const name = `${pod?.namespace}/${pod?.name}`;
        return (
          <rect
            key={name}
            class={pod?.isDaemon ? 'pod daemon' : pod?.isTerminating ? 'pod going' : 'pod'}
            x={tile.x + gap / 2}
            y={tile.y + gap / 2}
            width={Math.max(0.2, tile.width - gap)}
            height={Math.max(0.2, tile.height - gap)}
          >
            <title>{name}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** The class that gives a pool its colour; nodes of no pool are grey. */
export function poolClass(name: string | undefined): string {
  const index = name === undefined ? -1 : poolOrder.value.indexOf(name);
  return index < 0 ? 'pool-none' : `pool-${index % 8}`;
}

function describe(node: NodeView): string {
  const size = `${cores(node.cpuMillis.allocatable)} cores, ${gibibytes(node.memoryBytes.allocatable)} GiB`;
  return `${node.name}: ${node.instanceType ?? ''} in ${node.zone ?? ''}, ${size}, ${node.pods.length} pods`;
}
