import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import type { HttpResponse } from '../../src/ports/http.ts';
import { readBody } from '../../src/ports/http.ts';
import { createKubeServer, type KubeServerOptions } from '../../src/world/kube/server.ts';

/** What came back: the status code and the body, read as JSON where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whatever JSON says: tests look into it without a type for every object of the API. */
export type Loose = ReturnType<typeof JSON.parse>;

export interface Api {
  readonly clock: VirtualClock;
  send(method: string, path: string, body?: unknown, type?: string): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  merge(path: string, body: unknown): Promise<Answer>;
  strategic(path: string, body: unknown): Promise<Answer>;
  json(path: string, body: unknown): Promise<Answer>;
  /** Server-side apply by a manager; the body may be YAML text. */
  apply(path: string, manager: string, body: unknown): Promise<Answer>;
  watch(path: string): Promise<WatchedEvents>;
}

export interface WatchedEvents {
  /** Everything that has come so far: `ADDED a`, in order. */
  lines(): Promise<readonly string[]>;
  events(): Promise<readonly { readonly type: string; readonly object: Loose }[]>;
  isEnded(): Promise<boolean>;
  stop(): void;
}

/** An API server of its own, on a virtual clock, called in process. */
export function startApi(
  options: Pick<KubeServerOptions, 'historyLength' | 'askWebhook'> = {},
): Api {
  const clock = createVirtualClock();
  const { handle } = createKubeServer({ clock, random: createSeededRandom(1), ...options });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Answer> => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': type, 'user-agent': 'tester/1', accept: 'application/json' };
    return answerOf(await handle({ method, path, headers, body: text as string | undefined }));
  };
  return {
    clock,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path, body) => send('DELETE', path, body),
    merge: (path, body) => send('PATCH', path, body, 'application/merge-patch+json'),
    strategic: (path, body) => send('PATCH', path, body, 'application/strategic-merge-patch+json'),
    json: (path, body) => send('PATCH', path, body, 'application/json-patch+json'),
    apply: (path, manager, body) => {
      const mark = path.includes('?') ? '&' : '?';
      const type = 'application/apply-patch+yaml';
      return send('PATCH', `${path}${mark}fieldManager=${manager}`, body, type);
    },
    watch: async (path) => {
      const stop = new AbortController();
      const mark = path.includes('?') ? '&' : '?';
      const response = await handle({
        method: 'GET',
        path: `${path}${mark}watch=true`,
        headers: {},
        signal: stop.signal,
      });
      return follow(response, { stop, settled: () => clock.runFor(0) });
    },
  };
}

async function answerOf(response: HttpResponse): Promise<Answer> {
  const text = await readBody(response);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  const body = (isJson ? JSON.parse(text) : { text }) as Loose;
  return { status: response.status, body, headers: response.headers };
}

interface Following {
  readonly stop: AbortController;
  /** Lets every promise callback run that is ready to. */
  settled(): Promise<void>;
}

function follow(response: HttpResponse, { stop, settled }: Following): WatchedEvents {
  let text = '';
  let isEnded = false;
  const reading = (async () => {
    if (typeof response.body === 'string') text = response.body;
    else for await (const piece of response.body) text += piece;
    isEnded = true;
  })();
  reading.catch(() => undefined);
  const events = async (): Promise<readonly { type: string; object: Loose }[]> => {
    await settled();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
  return {
    events,
    lines: async () =>
      (await events()).map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`.trim()),
    isEnded: async () => {
      await settled();
      return isEnded;
    },
    stop: () => stop.abort(),
  };
}

export function aPod(name: string, more: { labels?: object; spec?: object } = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(more.labels === undefined ? {} : { labels: more.labels }) },
    spec: { containers: [{ name: 'app', image: 'app:1' }], ...more.spec },
  };
}

export function aConfigMap(name: string, data: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** The names of the items of a list, in its order. */
export function namesOf(list: Loose): readonly string[] {
  return (list.items as readonly Loose[]).map(({ metadata }) => metadata.name);
}

export const pods = '/api/v1/namespaces/default/pods';
export const configMaps = '/api/v1/namespaces/default/configmaps';
export const deployments = '/apis/apps/v1/namespaces/default/deployments';

export function aDeployment(name: string, spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'app', image: 'app:1' }] },
      },
      ...spec,
    },
  };
}
