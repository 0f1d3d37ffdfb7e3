import type { Requirements } from '../../core/requirements/requirements.ts';

/** What is known beside the manifests. What is unknown is not judged. */
export interface LintKnowledge {
  /** `1.33`. */
  readonly kubernetesVersion?: string | undefined;
  /** Every instance type that could be bought, with the labels of its nodes. */
  readonly instanceTypes?: readonly LintInstanceType[] | undefined;
}

export interface LintInstanceType {
  readonly name: string;
  readonly requirements: Requirements;
}
