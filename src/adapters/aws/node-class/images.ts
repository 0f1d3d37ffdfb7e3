import {
  DescribeImagesCommand,
  type DescribeImagesCommandInput,
  type Image,
} from '@aws-sdk/client-ec2';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { isNotFound } from '../calls/errors.ts';
import { Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs, minuteMs } from '../context.ts';
import {
  aliasParameters,
  architectureOf,
  type ImageParameter,
  imageRequirements,
  isMutableAlias,
  type StatusImage,
  unsupportedAlias,
} from './image-alias.ts';
import { tagFilters } from './tags.ts';

export interface Images {
  /**
   * One image per set of requirements, newest first. Empty when nothing matches. Rejects with
   * reason `UnsupportedAlias` when the alias cannot serve this Kubernetes version.
   */
  find(nodeClass: EC2NodeClass, kubernetesVersion: string): Promise<readonly StatusImage[]>;
}

interface Candidate {
  readonly image: Image;
  readonly isDeprecated: boolean;
  readonly requirements: StatusImage['requirements'];
}

type ImageTerm = EC2NodeClass['spec']['amiSelectorTerms'][number];

export function createImages(context: AwsContext): Images {
  const { clock } = context;
  const found = new Remembered<readonly StatusImage[]>(clock, minuteMs);
  const published = new Remembered<string | undefined>(clock, 24 * hourMs);
  const custom = new Remembered<string | undefined>(clock, 5 * minuteMs);

  async function byAlias(alias: string, kubernetesVersion: string): Promise<Candidate[]> {
    const refusal = unsupportedAlias(alias, kubernetesVersion);
    if (refusal !== undefined) throw new CloudError('rejected', 'UnsupportedAlias', refusal);
    const parameters = aliasParameters(alias, kubernetesVersion);
    const ids = await Promise.all(
      parameters.map(({ name }) => published.get(name, () => parameter(context, name))),
    );
    const images = await imagesById(ids.filter((id) => id !== undefined));
    const candidates = parameters.flatMap((entry, index) =>
      candidateOf(images.get(ids[index] ?? ''), entry),
    );
    // A published parameter is moved to a newer image long before the old one is deprecated.
    if (isMutableAlias(alias) && candidates.some((candidate) => candidate.isDeprecated))
      for (const { name } of parameters) published.forget(name);
    return candidates;
  }

  function candidateOf(image: Image | undefined, entry: ImageParameter): Candidate[] {
    if (image === undefined) return [];
    return [{ image, isDeprecated: isDeprecated(image), requirements: entry.requirements }];
  }

  async function byTerms(terms: readonly ImageTerm[]): Promise<Candidate[]> {
    const ids = await Promise.all(
      terms.map(async (term) => {
        if (term.id !== undefined) return term.id;
        if (term.ssmParameter === undefined) return undefined;
        const name = term.ssmParameter;
        return custom.get(name, () => parameter(context, name));
      }),
    );
    const selected = terms.filter(
      (term) => term.id === undefined && term.ssmParameter === undefined,
    );
    const answers = await Promise.all([
      imagesById(ids.filter((id) => id?.startsWith('ami-') === true)).then((byId) => [
        ...byId.values(),
      ]),
      ...selected.map((term) => query(context, termQuery(term))),
    ]);
    return answers.flat().flatMap((image) => {
      const arch = architectureOf(image.Architecture);
      if (arch === undefined) return [];
      const requirements = imageRequirements(arch, undefined);
      return [{ image, isDeprecated: isDeprecated(image), requirements }];
    });
  }

  async function imagesById(ids: readonly (string | undefined)[]): Promise<Map<string, Image>> {
    const Values = [...new Set(ids)].filter((id) => id !== undefined).sort();
    if (Values.length === 0) return new Map();
    const images = await query(context, { Filters: [{ Name: 'image-id', Values }] });
    return new Map(images.map((image) => [image.ImageId ?? '', image]));
  }

  function isDeprecated(image: Image): boolean {
    const at = image.DeprecationTime === undefined ? Infinity : Date.parse(image.DeprecationTime);
    return at <= clock.nowMs();
  }

  return {
    find(nodeClass, kubernetesVersion) {
      const terms = nodeClass.spec.amiSelectorTerms;
      const key = `${nodeClass.metadata.uid ?? nodeClass.metadata.name}/${kubernetesVersion}/${JSON.stringify(terms)}`;
      const alias = terms.find((term) => term.alias !== undefined)?.alias;
      return found.get(key, async () =>
        bestPerRequirements(
          alias === undefined ? await byTerms(terms) : await byAlias(alias, kubernetesVersion),
        ),
      );
    },
  };
}

function termQuery(term: ImageTerm): DescribeImagesCommandInput {
  const filters = tagFilters(term.tags ?? {});
  if (term.name !== undefined) filters.unshift({ Name: 'name', Values: [term.name] });
  // A name alone could match images of strangers who chose it on purpose.
  const byName = term.name === undefined ? undefined : ['self', 'amazon'];
  const Owners = term.owner === undefined ? byName : [term.owner];
  return { Filters: filters, ...(Owners === undefined ? {} : { Owners }) };
}

async function query(context: AwsContext, wanted: DescribeImagesCommandInput): Promise<Image[]> {
  const images: Image[] = [];
  let NextToken: string | undefined;
  do {
    const command = new DescribeImagesCommand({
      ...wanted,
      Filters: [...(wanted.Filters ?? []), { Name: 'state', Values: ['available'] }],
      IncludeDeprecated: true,
      MaxResults: 1_000,
      NextToken,
    });
    const page = await context.caller.call(
      { service: 'ec2', action: 'DescribeImages', priority: 'describe', doing: 'finding images' },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    images.push(...(page.Images ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return images;
}

async function parameter(context: AwsContext, Name: string): Promise<string | undefined> {
  try {
    const answer = await context.caller.call(
      {
        service: 'ssm',
        action: 'GetParameter',
        priority: 'describe',
        doing: `reading parameter ${Name}`,
        otherwise: 'ParameterInvalid',
      },
      (abortSignal) => context.clients.ssm.send(new GetParameterCommand({ Name }), { abortSignal }),
    );
    return answer.Parameter?.Value;
  } catch (error) {
    // A variant that is not published leaves its machines without an image; the others work.
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function bestPerRequirements(candidates: readonly Candidate[]): readonly StatusImage[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = JSON.stringify(candidate.requirements);
    const rival = best.get(key);
    if (rival === undefined || isBetter(candidate, rival)) best.set(key, candidate);
  }
  return [...best.values()].sort(newestFirst).map(({ image, isDeprecated, requirements }) => ({
    id: image.ImageId ?? '',
    ...(image.Name === undefined ? {} : { name: image.Name }),
    ...(isDeprecated ? { deprecated: true } : {}),
    requirements,
  }));
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isDeprecated !== b.isDeprecated) return b.isDeprecated;
  const [aTime, bTime] = [a.image.CreationDate ?? '', b.image.CreationDate ?? ''];
  if (aTime !== bTime) return aTime > bTime;
  return (a.image.Name ?? '') > (b.image.Name ?? '');
}

function newestFirst(a: Candidate, b: Candidate): number {
  const [aTime, bTime] = [a.image.CreationDate ?? '', b.image.CreationDate ?? ''];
  if (aTime !== bTime) return aTime > bTime ? -1 : 1;
  const [aId, bId] = [a.image.ImageId ?? '', b.image.ImageId ?? ''];
  return aId === bId ? 0 : aId < bId ? -1 : 1;
}
