import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { KubeconfigError } from './connection.ts';

/** The fields of a kubeconfig that we read, under their own names. Paths in it are absolute. */
export interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
}

export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

export interface ClusterEntry {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

export interface UserEntry {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecEntry;
  readonly 'auth-provider'?: { readonly name?: string };
}

export interface ExecEntry {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}

interface Document {
  readonly 'current-context'?: string;
  readonly contexts?: readonly { readonly name: string; readonly context?: ContextEntry }[] | null;
  readonly clusters?: readonly { readonly name: string; readonly cluster?: ClusterEntry }[] | null;
  readonly users?: readonly { readonly name: string; readonly user?: UserEntry }[] | null;
}

/** Fields that hold a path, relative to the file they stand in. */
const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Merges the files as kubectl does: of two entries with one name the first file's counts. */
export function readKubeconfigs(paths: readonly string[]): Kubeconfig {
  const documents = paths.map(readDocument);
  const current = documents.map((document) => document['current-context']).find(Boolean);
  return {
    ...(current === undefined ? {} : { 'current-context': current }),
    contexts: merge(documents.map(({ contexts }) => named(contexts, (entry) => entry.context))),
    clusters: merge(documents.map(({ clusters }) => named(clusters, (entry) => entry.cluster))),
    users: merge(documents.map(({ users }) => named(users, (entry) => entry.user))),
  };
}

function readDocument(path: string): Document {
  const document = parseDocument(path);
  const folder = dirname(path);
  for (const { cluster } of document.clusters ?? []) makeAbsolute(cluster, folder);
  for (const { user } of document.users ?? []) {
    makeAbsolute(user, folder);
    // A command with a slash is a path beside the file; one without is looked up by name.
    const exec = user?.exec as { command?: string } | undefined;
    if (exec?.command?.includes('/')) exec.command = resolve(folder, exec.command);
  }
  return document;
}

function parseDocument(path: string): Document {
  try {
    return (parse(readFileSync(path, 'utf8')) as Document | null) ?? {};
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new KubeconfigError(`reading kubeconfig ${path}: ${text}`, { cause });
  }
}

function makeAbsolute(entry: object | undefined, folder: string): void {
  if (entry === undefined || entry === null) return;
  const fields = entry as Record<string, unknown>;
  for (const field of pathFields) {
    const path = fields[field];
    if (typeof path === 'string' && path !== '') fields[field] = resolve(folder, path);
  }
}

function named<E extends { readonly name: string }, V>(
  entries: readonly E[] | null | undefined,
  pick: (entry: E) => V | undefined,
): [string, V][] {
  return (entries ?? []).flatMap((entry) => {
    const value = pick(entry);
    return value === undefined || value === null ? [] : [[entry.name, value] as [string, V]];
  });
}

function merge<V>(lists: readonly [string, V][][]): Map<string, V> {
  // Later entries of a Map win, so the first file goes in last.
  return new Map([...lists].reverse().flat());
}
