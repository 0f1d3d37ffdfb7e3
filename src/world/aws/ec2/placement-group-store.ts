/** Machines that shall be close together, or apart. */
export interface PlacementGroup {
  readonly id: string;
  readonly name: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  /** 0 unless the strategy is `partition`. */
  readonly partitionCount: number;
}

/** The placement groups of the account. */
export class PlacementGroups {
  readonly #groups = new Map<string, PlacementGroup>();

  /** By name. */
  all(): readonly PlacementGroup[] {
    return [...this.#groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  named(name: string): PlacementGroup | undefined {
    return this.#groups.get(name);
  }

  byId(id: string): PlacementGroup | undefined {
    return this.all().find((group) => group.id === id);
  }

  put(group: PlacementGroup): void {
    this.#groups.set(group.name, group);
  }

  delete(name: string): void {
    this.#groups.delete(name);
  }
}
