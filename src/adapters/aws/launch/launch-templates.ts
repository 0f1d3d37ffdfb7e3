import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  type Filter,
  type LaunchTemplate,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { codeOf, isNotFound } from '../calls/errors.ts';
import type { AwsContext } from '../context.ts';
import { clusterNameTag, tagList } from '../node-class/tags.ts';
import { contentHash, token } from './content-hash.ts';

export interface WantedTemplate {
  readonly data: RequestLaunchTemplateData;
  readonly tags: Tags;
}

export interface LaunchTemplates {
  /** The names of templates with this content, made where missing. `forWhom` makes repeats safe. */
  ensure(wanted: readonly WantedTemplate[], forWhom: string): Promise<readonly string[]>;
  /** EC2 does not know these after all: look again when they are next wanted. */
  forget(names: readonly string[]): void;
  /** Deletes those of this cluster that nobody has used for a while, an earlier life's included. */
  collect(): Promise<readonly string[]>;
  /** Deletes every template of the node class. */
  release(nodeClass: EC2NodeClass): Promise<void>;
}

const prefix = 'karpenter.k8s.aws/';
const defaultIdleMs = 20_000;

export function createLaunchTemplates(context: AwsContext): LaunchTemplates {
  const { clock } = context;
  const idleMs = context.settings.launchTemplateIdleMs ?? defaultIdleMs;
  /** Templates that exist as far as we know, and when each was last wanted. */
  const usedAtMs = new Map<string, number>();
  const inTheMaking = new Map<string, Promise<void>>();
  let rounds = 0;

  async function ensure(
    wanted: readonly WantedTemplate[],
    forWhom: string,
  ): Promise<readonly string[]> {
    const byName = new Map(wanted.map((one) => [templateName(one), one]));
    const unknown = [...byName.keys()].filter((name) => !usedAtMs.has(name)).sort();
    const idle = unknown.filter((name) => !inTheMaking.has(name));
    if (idle.length > 0) make(idle, byName, forWhom);
    await Promise.all(unknown.map((name) => inTheMaking.get(name)));
    for (const name of byName.keys()) usedAtMs.set(name, clock.nowMs());
    return wanted.map(templateName);
  }

  /** Launches that want the same template at the same time share one look and one creation. */
  function make(
    names: readonly string[],
    byName: ReadonlyMap<string, WantedTemplate>,
    forWhom: string,
  ): void {
    const existing = describe(context, [{ Name: 'launch-template-name', Values: [...names] }]).then(
      (templates) => new Set(templates.map((template) => template.LaunchTemplateName)),
    );
    for (const name of names) {
      const work = existing
        .then(async (found) => {
          const template = byName.get(name);
          if (found.has(name) || template === undefined) return;
          await create(context, { name, template, clientToken: token(name, forWhom, rounds) });
        })
        .finally(() => inTheMaking.delete(name));
      inTheMaking.set(name, work);
    }
  }

  async function collect(): Promise<readonly string[]> {
    const templates = await describe(context, [ofCluster(context)]);
    const collected: string[] = [];
    for (const template of templates) {
      const name = template.LaunchTemplateName ?? '';
      // One that this process has not used is of an earlier life: its age is all we know.
      const lastUseMs = usedAtMs.get(name) ?? template.CreateTime?.getTime() ?? 0;
      if (!name.startsWith(prefix) || clock.nowMs() - lastUseMs < idleMs) continue;
      usedAtMs.delete(name);
      await remove(context, template);
      collected.push(name);
    }
    return collected.sort();
  }

  async function release(nodeClass: EC2NodeClass): Promise<void> {
    const ofClass = { Name: `tag:${labels.nodeClass}`, Values: [nodeClass.metadata.name] };
    for (const template of await describe(context, [ofCluster(context), ofClass])) {
      usedAtMs.delete(template.LaunchTemplateName ?? '');
      await remove(context, template);
    }
  }

  return {
    ensure,
    forget(names) {
      // A token that made a template which is gone would only repeat its old answer.
      rounds++;
      for (const name of names) usedAtMs.delete(name);
    },
    collect,
    release,
  };
}

function templateName({ data, tags }: WantedTemplate): string {
  return prefix + contentHash(data, tags);
}

function ofCluster(context: AwsContext): Filter {
  return { Name: `tag:${clusterNameTag}`, Values: [context.settings.clusterName] };
}

async function describe(context: AwsContext, Filters: Filter[]): Promise<LaunchTemplate[]> {
  const templates: LaunchTemplate[] = [];
  let NextToken: string | undefined;
  do {
    const command = new DescribeLaunchTemplatesCommand({ Filters, MaxResults: 200, NextToken });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeLaunchTemplates',
        priority: 'create',
        doing: 'finding launch templates',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    templates.push(...(page.LaunchTemplates ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return templates;
}

async function create(
  context: AwsContext,
  wanted: {
    readonly name: string;
    readonly template: WantedTemplate;
    readonly clientToken: string;
  },
): Promise<void> {
  const { name, template, clientToken } = wanted;
  const command = new CreateLaunchTemplateCommand({
    LaunchTemplateName: name,
    ClientToken: clientToken,
    LaunchTemplateData: template.data,
    TagSpecifications: [{ ResourceType: 'launch-template', Tags: tagList(template.tags) }],
  });
  try {
    await context.caller.call(
      {
        service: 'ec2',
        action: 'CreateLaunchTemplate',
        priority: 'create',
        doing: `creating launch template ${name}`,
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
  } catch (error) {
    // The name says what is inside, so that somebody else's is as good as ours.
    if (!/^InvalidLaunchTemplateName\.AlreadyExists/.test(codeOf(error) ?? '')) throw error;
  }
}

async function remove(context: AwsContext, template: LaunchTemplate): Promise<void> {
  const command = new DeleteLaunchTemplateCommand({ LaunchTemplateId: template.LaunchTemplateId });
  try {
    await context.caller.call(
      {
        service: 'ec2',
        action: 'DeleteLaunchTemplate',
        priority: 'describe',
        doing: `deleting launch template ${template.LaunchTemplateName}`,
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
