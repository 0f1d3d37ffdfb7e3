import { request } from 'node:https';
import { isObject, type Json, type JsonObject, textAt } from '../json.ts';

/** Posts a review to the webhook that a `clientConfig` names; rejects when no answer can be had. */
export type AskWebhook = (clientConfig: JsonObject, review: JsonObject) => Promise<JsonObject>;

const patienceMs = 30_000;

/** Asks over HTTPS, trusting the bundle of the definition alone. */
export const askOverHttps: AskWebhook = async (clientConfig, review) => {
  const url = textAt(clientConfig, 'url');
  if (url === undefined) {
    const service = textAt(clientConfig, 'service', 'name') ?? '';
    throw new Error(`no endpoints available for service "${service}": this cluster has no network`);
  }
  const bundle = textAt(clientConfig, 'caBundle');
  const ca = bundle === undefined ? undefined : Buffer.from(bundle, 'base64').toString('utf8');
  const { status, text } = await post(url, { ca, body: JSON.stringify(review) });
  if (status !== 200) throw new Error(`the server answered ${status}: ${text.trim()}`);
  const answer = JSON.parse(text) as Json;
  if (!isObject(answer)) throw new Error('the answer is no object');
  return answer;
};

interface Post {
  readonly ca: string | undefined;
  readonly body: string;
}

function post(
  url: string,
  { ca, body }: Post,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const options = { method: 'POST', headers, timeout: patienceMs, ...(ca && { ca }) };
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}
