import { parseAmount } from '../../../core/quantity/quantity.ts';
import {
  type ApiObject,
  isEqual,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '../json.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
  unsupported,
} from '../status/field-error.ts';
import { labelNameProblem } from './names.ts';

/** What users get wrong most in a pod. */
export function podErrors(pod: ApiObject): readonly FieldError[] {
  return podSpecErrors(objectAt(pod, 'spec'), 'spec');
}

export function podSpecErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const containers = listAt(spec, 'containers');
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  const volumes = listAt(spec, 'volumes').map((volume) => textAt(volume, 'name') ?? '');
  errors.push(
    ...containersErrors(listAt(spec, 'initContainers'), `${path}.initContainers`, volumes),
  );
  errors.push(...containersErrors(containers, `${path}.containers`, volumes));
  const policies = ['Always', 'OnFailure', 'Never'];
  if (!policies.includes(String(spec.restartPolicy))) {
    errors.push(unsupported(`${path}.restartPolicy`, spec.restartPolicy, policies));
  }
  const grace = spec.terminationGracePeriodSeconds;
  if (typeof grace === 'number' && grace < 0) {
    const field = `${path}.terminationGracePeriodSeconds`;
    errors.push(invalid(field, grace, 'must be greater than or equal to 0'));
  }
  return errors;
}

function containersErrors(
  containers: readonly Json[],
  path: string,
  volumes: readonly string[],
): readonly FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(container, 'name') ?? '';
    const errors = containerErrors(container, at, volumes);
    const repeated = seen.has(name) && name !== '' ? [duplicate(`${at}.name`, name)] : [];
    seen.add(name);
    return [...errors, ...repeated];
  });
}

function containerErrors(
  container: Json,
  at: string,
  volumes: readonly string[],
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(container, 'name') ?? '';
  const problem = labelNameProblem(name);
  if (name === '') errors.push(required(`${at}.name`));
  else if (problem !== undefined) errors.push(invalid(`${at}.name`, name, problem));
  if ((textAt(container, 'image') ?? '') === '') errors.push(required(`${at}.image`));
  listAt(container, 'volumeMounts').forEach((mount, i) => {
    const volume = textAt(mount, 'name') ?? '';
    if (volumes.includes(volume)) return;
    const field = `${at}.volumeMounts[${i}].name`;
    errors.push({
      type: 'FieldValueNotFound',
      field,
      message: `Not found: ${JSON.stringify(volume)}`,
    });
  });
  return [...errors, ...resourceErrors(objectAt(container, 'resources'), `${at}.resources`)];
}

function resourceErrors(resources: JsonObject, path: string): readonly FieldError[] {
  const limits = objectAt(resources, 'limits');
  return Object.entries(objectAt(resources, 'requests')).flatMap(([name, request]) => {
    const limit = limits[name];
    if (typeof request !== 'string' || typeof limit !== 'string') return [];
    const [wanted, most] = [parseAmount(name, request), parseAmount(name, limit)];
    if (typeof wanted !== 'number' || typeof most !== 'number' || wanted <= most) return [];
    const text = `must be less than or equal to ${name} limit of ${limit}`;
    return [invalid(`${path}.requests`, request, text)];
  });
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** A pod's spec is settled at creation but for a few fields. */
export function podUpdateErrors(pod: ApiObject, previous: ApiObject): readonly FieldError[] {
  const spec = objectAt(pod, 'spec');
  const before = objectAt(previous, 'spec');
  const isGated = listAt(before, 'schedulingGates').length > 0;
  if (!isEqual(settled(spec, { isGated }), settled(before, { isGated }))) {
    const text = `pod updates may not change fields other than ${changeable.join(',')}\n`;
    return [forbidden('spec', text)];
  }
  return [...tolerationErrors(spec, before), ...gateErrors(spec, before)];
}

function settled(spec: JsonObject, { isGated }: { readonly isGated: boolean }): JsonObject {
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    schedulingGates: _gates,
    containers,
    initContainers,
    ...rest
  } = spec;
  const { nodeSelector: _selector, affinity: _affinity, ...ungated } = rest;
  return {
    ...(isGated ? ungated : rest),
    containers: withoutImages(containers),
    initContainers: withoutImages(initContainers),
  };
}

function withoutImages(containers: Json | undefined): Json | undefined {
  if (!Array.isArray(containers)) return undefined;
  return (containers as readonly Json[]).map((container) => {
    if (!isObject(container)) return container;
    const { image: _image, ...rest } = container;
    return rest;
  });
}

function tolerationErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const now = listAt(spec, 'tolerations').map(withoutSeconds);
  const isKept = listAt(before, 'tolerations').every((old) =>
    now.some((one) => isEqual(one, withoutSeconds(old))),
  );
  if (isKept) return [];
  return [
    forbidden(
      'spec.tolerations',
      'existing toleration can not be modified except its tolerationSeconds',
    ),
  ];
}

function withoutSeconds(toleration: Json): Json {
  if (!isObject(toleration)) return toleration;
  const { tolerationSeconds: _seconds, ...rest } = toleration;
  return rest;
}

function gateErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const known = listAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name'));
  const added = listAt(spec, 'schedulingGates').filter(
    (gate) => !known.includes(textAt(gate, 'name')),
  );
  if (added.length === 0) return [];
  const names = added.map((gate) => textAt(gate, 'name')).join(' ');
  return [
    forbidden(
      'spec.schedulingGates',
      `only deletion is allowed, but found new scheduling gates '${names}'`,
    ),
  ];
}
