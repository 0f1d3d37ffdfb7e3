import type { TaintObject } from '../../../api/kubernetes/core.ts';

/** What kubelet flags say, as far as a node's shape depends on them. Later flags win. */
interface KubeletFlags {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints?: readonly TaintObject[] | undefined;
  readonly maxPods?: number | undefined;
  readonly kubeReserved?: Readonly<Record<string, string>> | undefined;
  readonly systemReserved?: Readonly<Record<string, string>> | undefined;
  readonly evictionHard?: Readonly<Record<string, string>> | undefined;
}

/** Reads words such as `--max-pods=29` and `--node-labels`, `a=b`. Unknown flags are skipped. */
export function parseKubeletFlags(words: readonly string[]): KubeletFlags {
  const values = new Map<string, string[]>();
  for (let index = 0; index < words.length; index++) {
    const match = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(words[index] ?? '');
    if (match === null) continue;
    const name = match[1] ?? '';
    const next = words[index + 1];
    const value = match[2] ?? (next === undefined || next.startsWith('--') ? '' : next);
    values.set(name, [...(values.get(name) ?? []), unquoted(value)]);
  }
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const pairs = (name: string, sign: string): Record<string, string> | undefined =>
    last(name) === undefined ? undefined : parsePairs(last(name) ?? '', sign);
  const taints = last('register-with-taints');
  const maxPods = last('max-pods');
  return {
    labels: Object.assign({}, ...(values.get('node-labels') ?? []).map((v) => parsePairs(v, '='))),
    taints: taints === undefined ? undefined : taints.split(',').flatMap(parseTaint),
    maxPods: maxPods === undefined ? undefined : Number(maxPods),
    kubeReserved: pairs('kube-reserved', '='),
    systemReserved: pairs('system-reserved', '='),
    evictionHard: pairs('eviction-hard', '<'),
  };
}

/** `key=value:Effect` or `key:Effect`; nothing for text that is neither. */
export function parseTaint(text: string): readonly TaintObject[] {
  const match = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text.trim());
  if (match === null) return [];
  const [, key = '', value, effect] = match;
  return [{ key, ...(value && { value }), effect: effect as TaintObject['effect'] }];
}

/** Splits a command line into words as a shell does: quotes, backslashes, line continuations. */
export function shellWords(text: string): readonly string[] {
  const words =
    text.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|\\[\s\S]|[^\s'"\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|\\([\s\S])/g,
      (_, single?: string, double?: string, escaped?: string) => single ?? double ?? escaped ?? '',
    ),
  );
}

function parsePairs(text: string, sign: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',')) {
    const at = part.indexOf(sign);
    if (at > 0) pairs[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return pairs;
}

function unquoted(value: string): string {
  return value.replace(/^(["'])([\s\S]*)\1$/, '$2');
}
