import type { NodeGroup } from '../../../src/core/explain/node-groups.ts';
import type { NodeView, PodView, ReasonView } from '../../../src/server/view.ts';
import type { Problem } from './read-text.ts';

/** What a page shows of a cluster that is not. Plain values, which a worker can post. */
export interface Answer {
  /** When the cluster was as the answer takes it to be. */
  readonly atMs: number;
  /** How many pods were asked about. */
  readonly pods: number;
  /** Who of them would go to nodes that are there; those with more of them first. */
  readonly places: readonly PlaceView[];
  /** What would be bought for them, like by like. */
  readonly purchases: readonly NodeGroup[];
  /** The new nodes as they can be drawn; not all where there are many. */
  readonly newNodes: readonly NewNodeView[];
  readonly refused: readonly RefusedView[];
  /** What all nodes cost: without the change, and with it. */
  readonly usdPerHour: { readonly before: number; readonly after: number };
  readonly notes: readonly string[];
}

export interface NewNodeView extends NodeView {
  /** How many of its pods, at the end of the list, were asked about. */
  readonly comers: number;
}

export interface PlaceView {
  readonly nodeName: string;
  readonly pods: readonly PodView[];
}

export interface RefusedView {
  readonly count: number;
  /** Of their workloads. */
  readonly names: readonly string[];
  readonly sentence: string;
  readonly reason: ReasonView;
}

/** What is asked: what a manifest would bring, or the loss of a node. */
export type Ask =
  | { readonly kind: 'manifest'; readonly text: string }
  | { readonly kind: 'node'; readonly name: string };

export type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The text must be mended first. */
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'failed'; readonly sentence: string };
