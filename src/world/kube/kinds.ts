/**
 * What the API server knows how to serve. One entry per group, version and plural; a custom
 * resource with two served versions has two entries that share one `storage`.
 */
export interface Kind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Where its objects are kept; kinds with the same storage are views of the same objects. */
  readonly storage: string;
  /** The structural OpenAPI v3 schema of a custom resource version; built-in kinds have none here. */
  readonly schema?: object | undefined;
  /** Set for custom resources, empty when the definition names none. */
  readonly printerColumns?: readonly PrinterColumn[] | undefined;
  /** True for kinds that a CustomResourceDefinition registered. */
  readonly isCustom: boolean;
  /** Paths that a custom resource lets field selectors name: `spec.nodeName`. */
  readonly selectableFields?: readonly string[] | undefined;
  /** Where a custom resource keeps its replica counts; set when it has the scale subresource. */
  readonly scale?: ScalePaths | undefined;
  /** Who makes this version of a custom resource from the stored one; by default it is the same. */
  readonly conversion?: VersionConversion | undefined;
  /** What everybody is told who uses this version. */
  readonly deprecation?: string | undefined;
}

/** A version that is not stored, and the webhook that converts between the two. */
export interface VersionConversion {
  readonly storageVersion: string;
  /** `clientConfig` of the definition, as it is written there. */
  readonly clientConfig: object;
}

export interface Subresource {
  readonly name: string;
  /** The kind of its bodies when that is not the kind it belongs to, e.g. `Scale`. */
  readonly kind?: string | undefined;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly verbs: readonly string[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** The kinds being served, in the order of their registration. */
export class KindRegistry {
  #kinds: readonly Kind[] = [];
  readonly #byPath = new Map<string, Kind>();
  #revision = 0;

  constructor(kinds: readonly Kind[] = []) {
    this.register(kinds);
  }

  /** Every kind being served; the same array until something is registered or removed. */
  all(): readonly Kind[] {
    return this.#kinds;
  }

  /** Rises with every change, so that what is derived from the kinds can be kept until then. */
  get revision(): number {
    return this.#revision;
  }

  find(group: string, version: string, plural: string): Kind | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** Adds kinds; one with the same group, version and plural takes the place of the former. */
  register(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#byPath.set(pathOf(kind), kind);
    this.#kinds = [...this.#byPath.values()];
    this.#revision++;
  }

  /** Stops serving every version of a plural. */
  remove(group: string, plural: string): void {
    for (const kind of this.#kinds) {
      if (kind.group === group && kind.plural === plural) this.#byPath.delete(pathOf(kind));
    }
    this.#kinds = [...this.#byPath.values()];
    this.#revision++;
  }
}

/** `pods` or `deployments.apps`, as error messages name a resource. */
export function qualifiedPlural(kind: { readonly group: string; readonly plural: string }): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

function pathOf(kind: Kind): string {
  return `${kind.group}/${kind.version}/${kind.plural}`;
}
