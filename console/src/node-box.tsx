import type { JSX } from 'preact';
import type { NodeView, PodView } from '../../src/server/view.ts';
import { cores, gibibytes, usdPerHour } from './format.ts';
import { podWeights, sideOf, stageWord } from './node-picture.ts';
import { poolOrder, type Scale } from './state.ts';
import { treemap } from './treemap.ts';

const picture = { x: 0, y: 0, width: 100, height: 100 };

export interface NodeBoxProps {
  readonly node: NodeView;
  readonly scale: Scale;
  readonly largest: number;
  /** How many of its pods, at the end of the list, are not there yet. */
  readonly comers?: number;
  /** The node itself is not there. */
  readonly isImagined?: boolean;
  /** Asks what if it went. */
  readonly onAsk?: () => void;
}

/** One node as a box whose area is to scale, with its pods inside. */
export function NodeBox(props: NodeBoxProps): JSX.Element {
  const { node, scale, largest, comers = 0, isImagined = false, onAsk } = props;
  const side = sideOf(node, scale, largest);
  const word = stageWord(node);
  const stage = isImagined ? 'imagined' : word.replace(' ', '-');
  return (
    <article
      class={`node node-${stage} ${poolClass(node.poolName)}`}
      style={{ '--side': `${side}px` }}
      aria-label={describe(node)}
    >
      <header>
        <strong>{node.instanceType ?? 'unknown type'}</strong>
        <span>{node.usdPerHour === undefined ? '' : usdPerHour(node.usdPerHour)}</span>
      </header>
      <div class="inside">
        <Pods node={node} side={side} comers={comers} />
        {onAsk !== undefined && (
          <button
            type="button"
            class="ask"
            onClick={onAsk}
            title="What if this node went?"
            aria-label={`What if ${node.name} went?`}
          >
            ?
          </button>
        )}
      </div>
      <footer title={node.name}>
        <span>{node.zone ?? ''}</span>
        <span>{word === 'ready' ? (node.capacityType ?? '') : word}</span>
      </footer>
    </article>
  );
}

interface PodsProps {
  readonly node: NodeView;
  readonly side: number;
  readonly comers: number;
}

function Pods({ node, side, comers }: PodsProps): JSX.Element {
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
            class={podClass(pod, index >= node.pods.length - comers)}
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

function podClass(pod: PodView | undefined, isComing: boolean): string {
  if (isComing) return 'pod coming';
  if (pod?.isDaemon === true) return 'pod daemon';
  return pod?.isTerminating === true ? 'pod going' : 'pod';
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
