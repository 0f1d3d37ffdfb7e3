import type { Cloud } from '../cloud.ts';
import { dryRunPassed } from '../wire/aws-error.ts';
import {
  child,
  children,
  flag,
  isList,
  type Parameters,
  requiredText,
  text,
  texts,
} from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import { repeated, type XmlObject, type XmlValue } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { ClientTokens } from './idempotency.ts';
import { newId } from './instance-parts.ts';
import { readLaunchSpecification, readTagSpecifications } from './launch-specification.ts';
import { checkVersion, type LaunchTemplate } from './launch-template-store.ts';
import { paged } from './paging.ts';
import { tagSet } from './tag-store.ts';

export function launchTemplateActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  const tokens = new ClientTokens<LaunchTemplate>(cloud.clock);
  return {
    CreateLaunchTemplate: (parameters) => {
      const template = tokens.once(parameters, () => createTemplate(cloud, parameters));
      return { launchTemplate: templateXml(cloud, template) };
    },
    DescribeLaunchTemplates: (parameters) => describeTemplates(cloud, parameters),
    DescribeLaunchTemplateVersions: (parameters) => describeVersions(cloud, parameters),
    DeleteLaunchTemplate: (parameters) => {
      const template = cloud.templates.required(parameters);
      if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
      const answer = { launchTemplate: templateXml(cloud, template) };
      cloud.templates.delete(template.id);
      cloud.tags.forget(template.id);
      return answer;
    },
  };
}

function createTemplate(cloud: Cloud, parameters: Parameters): LaunchTemplate {
  const data = child(parameters, 'LaunchTemplateData');
  // Read once to refuse what could never be launched, as EC2 does here and not at launch.
  readLaunchSpecification(data);
  const template = {
    id: newId(cloud.random, 'lt'),
    name: requiredText(parameters, 'LaunchTemplateName'),
    createdAtMs: cloud.time.nowMs(),
    versionDescription: text(parameters, 'VersionDescription'),
    data,
  };
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  cloud.templates.put(template);
  cloud.tags.put(template.id, readTagSpecifications(parameters)['launch-template'] ?? {});
  return template;
}

function describeTemplates(cloud: Cloud, parameters: Parameters): XmlObject {
  const ids = texts(parameters, 'LaunchTemplateId').map((id) => cloud.templates.byId(id));
  const names = texts(parameters, 'LaunchTemplateName').map((name) => cloud.templates.byName(name));
  const named = new Set([...ids, ...names]);
  const all = cloud.templates.all();
  const asked = named.size === 0 ? all : all.filter((template) => named.has(template));
  const page = paged(
    filtered(asked, parameters, {
      attributes: {
        'create-time': (template) => isoMillis(template.createdAtMs),
        'launch-template-name': (template) => template.name,
      },
      tagsOf: (template) => cloud.tags.of(template.id),
    }),
    parameters,
    { keyOf: (template) => template.id, maximum: 200, usual: 200 },
  );
  return {
    launchTemplates: page.items.map((template) => templateXml(cloud, template)),
    nextToken: page.nextToken,
  };
}

function describeVersions(cloud: Cloud, parameters: Parameters): XmlObject {
  for (const version of texts(parameters, 'LaunchTemplateVersion')) checkVersion(version);
  const isNamed =
    text(parameters, 'LaunchTemplateId') !== undefined ||
    text(parameters, 'LaunchTemplateName') !== undefined;
  const templates = isNamed ? [cloud.templates.required(parameters)] : cloud.templates.all();
  const page = paged(
    filtered(templates, parameters, {
      attributes: {
        'image-id': (template) => text(template.data, 'ImageId') ?? [],
        'instance-type': (template) => text(template.data, 'InstanceType') ?? [],
        'is-default-version': () => 'true',
      },
    }),
    parameters,
    { keyOf: (template) => template.id, maximum: 200, usual: 200 },
  );
  return {
    launchTemplateVersionSet: page.items.map((template) => ({
      launchTemplateId: template.id,
      launchTemplateName: template.name,
      versionNumber: 1,
      versionDescription: template.versionDescription,
      createTime: isoMillis(template.createdAtMs),
      createdBy: creator(cloud),
      defaultVersion: true,
      launchTemplateData: dataXml(template.data),
    })),
    nextToken: page.nextToken,
  };
}

function templateXml(cloud: Cloud, template: LaunchTemplate): XmlObject {
  return {
    launchTemplateId: template.id,
    launchTemplateName: template.name,
    createTime: isoMillis(template.createdAtMs),
    createdBy: creator(cloud),
    defaultVersionNumber: 1,
    latestVersionNumber: 1,
    tagSet: tagSet(cloud.tags.of(template.id)),
  };
}

function creator(cloud: Cloud): string {
  return `arn:aws:iam::${cloud.accountId}:root`;
}

/** Lists whose answer is not called by the request's name and `Set`. */
const listNames: Readonly<Record<string, string>> = {
  Ipv6Addresses: 'ipv6AddressesSet',
  PrivateIpAddresses: 'privateIpAddressesSet',
  LicenseSpecification: 'licenseSet',
};

/** Template data as EC2 answers it: the request's names in lower camel case, lists as sets. */
function dataXml(data: Parameters): XmlObject {
  const xml: Record<string, XmlValue> = {};
  for (const [name, value] of Object.entries(data)) {
    const lower = name.charAt(0).toLowerCase() + name.slice(1);
    if (typeof value === 'string') xml[lower] = value;
    else if (!isList(value)) xml[lower] = dataXml(value);
    else if (name === 'NetworkInterface')
      xml.networkInterfaceSet = children(data, name).map(interfaceXml);
    else xml[listNames[name] ?? `${lower}Set`] = listXml(data, name);
  }
  return xml;
}

function listXml(data: Parameters, name: string): readonly XmlValue[] {
  return [...texts(data, name), ...children(data, name).map(dataXml)];
}

function interfaceXml(entry: Parameters): XmlObject {
  const { SecurityGroupId: _, ...rest } = entry;
  const groups = texts(entry, 'SecurityGroupId');
  return { ...dataXml(rest), groupSet: { groupId: repeated(groups) } };
}
