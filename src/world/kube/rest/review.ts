import { timestamp } from '../../../api/timestamp.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import { hexDigits } from '../../../ports/random.ts';
import { readObject } from '../decode/body.ts';
import { type JsonObject, numberAt, objectAt } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { getObject, type ServerState } from '../objects/state.ts';
import { type Call, objectName } from './call.ts';
import { presented } from './encode.ts';
import { json } from './respond.ts';

/** Answers access reviews, which are never stored: everybody may do everything here. */
export function reviewAccess(call: Call): HttpResponse {
  const { value } = readObject(call.request);
  const metadata = { name: '' };
  const review = { ...presented(call.kind, { metadata }), ...value, metadata: {} };
  return json(201, JSON.stringify({ ...review, status: verdict(call.kind) }));
}

function verdict({ kind }: Kind): JsonObject {
  if (kind !== 'SelfSubjectRulesReview') return { allowed: true };
  return {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  };
}

/** Answers a TokenRequest with a token that nobody checks. */
export function requestToken(state: ServerState, call: Call): HttpResponse {
  const account = getObject(state, call.kind, objectName(call));
  const { value } = readObject(call.request);
  const spec = objectAt(value, 'spec');
  const seconds = numberAt(spec, 'expirationSeconds') ?? 3600;
  const { name, namespace } = account.metadata;
  const answer = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: timestamp(state.clock.nowMs()) },
    spec: { audiences: ['https://kubernetes.default.svc'], ...spec, expirationSeconds: seconds },
    status: {
      token: hexDigits(state.random, 64),
      expirationTimestamp: timestamp(state.clock.nowMs() + seconds * 1000),
    },
  };
  return json(201, JSON.stringify(answer));
}
