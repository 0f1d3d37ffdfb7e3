import { byName } from '../../../core/text-order.ts';
import type { Role, Tags } from '../account.ts';
import { stableIamId } from '../stable-id.ts';
import { AwsError } from '../wire/aws-error.ts';

export interface InstanceProfile {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly arn: string;
  readonly createdAtMs: number;
  /** IAM allows one role at most. */
  readonly role: Role | undefined;
  readonly tags: Tags;
}

/** The instance profiles of the account. Refuses with IAM's errors. */
export class InstanceProfiles {
  readonly #accountId: string;
  readonly #profiles = new Map<string, InstanceProfile>();

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  find(name: string): InstanceProfile | undefined {
    return this.#profiles.get(name);
  }

  get(name: string): InstanceProfile {
    const profile = this.#profiles.get(name);
    if (profile === undefined) {
      throw new AwsError('NoSuchEntity', `Instance Profile ${name} cannot be found.`, {
        status: 404,
      });
    }
    return profile;
  }

  /** By name. */
  all(): readonly InstanceProfile[] {
    return [...this.#profiles.values()].sort(byName);
  }

  create(wish: {
    readonly name: string;
    readonly path: string;
    readonly tags: Tags;
    readonly nowMs: number;
  }): InstanceProfile {
    if (this.#profiles.has(wish.name)) {
      throw new AwsError('EntityAlreadyExists', `Instance Profile ${wish.name} already exists.`, {
        status: 409,
      });
    }
    const profile = {
      name: wish.name,
      path: wish.path,
      id: stableIamId('AIPA', wish.path + wish.name),
      arn: `arn:aws:iam::${this.#accountId}:instance-profile${wish.path}${wish.name}`,
      createdAtMs: wish.nowMs,
      role: undefined,
      tags: wish.tags,
    };
    this.#profiles.set(wish.name, profile);
    return profile;
  }

  delete(name: string): void {
    if (this.get(name).role !== undefined) {
      throw new AwsError(
        'DeleteConflict',
        'Cannot delete entity, must remove roles from instance profile first.',
        {
          status: 409,
        },
      );
    }
    this.#profiles.delete(name);
  }

  addRole(name: string, role: Role): void {
    const profile = this.get(name);
    if (profile.role !== undefined) {
      throw new AwsError(
        'LimitExceeded',
        'Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1',
        {
          status: 409,
        },
      );
    }
    this.#profiles.set(name, { ...profile, role });
  }

  removeRole(name: string, roleName: string): void {
    const profile = this.get(name);
    if (profile.role?.name !== roleName) {
      throw new AwsError('NoSuchEntity', `The role with name ${roleName} cannot be found.`, {
        status: 404,
      });
    }
    this.#profiles.set(name, { ...profile, role: undefined });
  }

  setTags(name: string, tags: Tags): void {
    this.#profiles.set(name, { ...this.get(name), tags });
  }
}
