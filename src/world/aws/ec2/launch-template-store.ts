import { AwsError, invalidParameter } from '../wire/aws-error.ts';
import { type Parameters, text } from '../wire/parameters.ts';

export interface LaunchTemplate {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly versionDescription: string | undefined;
  readonly data: Parameters;
}

/** The launch templates of the account. Each has one version, since nothing here adds another. */
export class LaunchTemplates {
  readonly #templates = new Map<string, LaunchTemplate>();

  /** By id. */
  all(): readonly LaunchTemplate[] {
    return [...this.#templates.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  put(template: LaunchTemplate): void {
    if (this.#named(template.name) !== undefined) {
      throw new AwsError(
        'InvalidLaunchTemplateName.AlreadyExistsException',
        'Launch template name already in use.',
      );
    }
    this.#templates.set(template.id, template);
  }

  delete(id: string): void {
    this.#templates.delete(id);
  }

  /** The template that `LaunchTemplateId` or `LaunchTemplateName` names. */
  required(reference: Parameters): LaunchTemplate {
    const id = text(reference, 'LaunchTemplateId');
    const name = text(reference, 'LaunchTemplateName');
    if (id !== undefined && name !== undefined) {
      throw new AwsError(
        'InvalidParameterCombination',
        'Specify either a launch template ID or a launch template name, not both.',
      );
    }
    if (id !== undefined) return this.byId(id);
    if (name !== undefined) return this.byName(name);
    throw new AwsError(
      'MissingParameter',
      'You must specify either a launch template ID or a launch template name.',
    );
  }

  byId(id: string): LaunchTemplate {
    const template = this.#templates.get(id);
    if (template === undefined) {
      throw new AwsError(
        'InvalidLaunchTemplateId.NotFound',
        `The specified launch template, with template ID ${id}, does not exist.`,
      );
    }
    return template;
  }

  byName(name: string): LaunchTemplate {
    const template = this.#named(name);
    if (template === undefined) {
      throw new AwsError(
        'InvalidLaunchTemplateName.NotFoundException',
        `At least one of the launch templates specified in the request does not exist.`,
      );
    }
    return template;
  }

  #named(name: string): LaunchTemplate | undefined {
    return [...this.#templates.values()].find((template) => template.name === name);
  }
}

/** Refuses a version that a template does not have. */
export function checkVersion(version: string | undefined): void {
  if (version === undefined || ['$Latest', '$Default', '1'].includes(version)) return;
  if (!/^\d+$/.test(version)) {
    throw invalidParameter(`Invalid launch template version: ${version}`);
  }
  throw new AwsError(
    'InvalidLaunchTemplateId.VersionNotFound',
    `Could not find launch template version ${version}.`,
  );
}
