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
import { type AwsContext, minuteMs } from '../context.ts';
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
/** How long one that somebody else has made may stay unseen. */
const longestUnseenMs = 5 * minuteMs;

export function createLaunchTemplates(context: AwsContext): LaunchTemplates {
  const { clock } = context;
  const idleMs = context.settings.launchTemplateIdleMs ?? defaultIdleMs;
  /** Templates that exist as far as we know, and when each was last wanted. */
  const usedAtMs = new Map<string, number>();
  const inTheMaking = new Map<string, Promise<void>>();
  let made = 0;
  /** Before this, nothing that we know of can have become idle. */
  let collectAtMs = -Infinity;

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
    collectAtMs = Math.min(collectAtMs, clock.nowMs() + idleMs);
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
          // A token that made a template which is gone since would only repeat its old answer.
          const clientToken = token(name, forWhom, clock.nowMs(), ++made);
          await create(context, { name, template, clientToken });
        })
        .finally(() => inTheMaking.delete(name));
      inTheMaking.set(name, work);
    }
  }

  async function collect(): Promise<readonly string[]> {
    const nowMs = clock.nowMs();
    if (nowMs < collectAtMs) return [];
    const templates = await describe(context, [ofCluster(context)]);
    const collected: string[] = [];
    const dueMs: number[] = [nowMs + longestUnseenMs];
    for (const template of templates) {
      const name = template.LaunchTemplateName ?? '';
      // One that this process has not used is of an earlier life: its age is all we know.
      const lastUseMs = usedAtMs.get(name) ?? template.CreateTime?.getTime() ?? 0;
      if (!name.startsWith(prefix)) continue;
      if (clock.nowMs() - lastUseMs < idleMs) {
        dueMs.push(lastUseMs + idleMs);
        continue;
      }
      usedAtMs.delete(name);
      await remove(context, template);
      collected.push(name);
    }
    const found = new Set(templates.map((template) => template.LaunchTemplateName));
    for (const [name, lastUseMs] of usedAtMs) {
      // Somebody else has deleted it: there is nothing to come back for.
      if (!found.has(name) && nowMs - lastUseMs >= idleMs) usedAtMs.delete(name);
      else dueMs.push(lastUseMs + idleMs);
    }
    collectAtMs = Math.min(...dueMs);
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
