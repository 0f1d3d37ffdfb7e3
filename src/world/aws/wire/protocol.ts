import type { HttpResponse } from '../../../ports/http.ts';
import { AwsError } from './aws-error.ts';
import { type Parameters, text } from './parameters.ts';
import { readJson, readParameters, type ServiceCall } from './service-call.ts';
import { writeContent, writeElement, type XmlValue } from './xml.ts';

/** Answers every call to one service, refusals included. */
export type Service = (call: ServiceCall) => Promise<HttpResponse>;

/** Lets a call pass or throws the service's refusal: throttled, or signed for another region. */
export type Gate = (action: string, call: ServiceCall) => void;

export type QueryAction = (parameters: Parameters, call: ServiceCall) => Answer<XmlValue>;
export type JsonAction = (
  input: Readonly<Record<string, unknown>>,
  call: ServiceCall,
) => Answer<object>;
type Answer<T> = T | Promise<T>;

type QueryActions = Readonly<Record<string, QueryAction>>;
type JsonActions = Readonly<Record<string, JsonAction>>;

/** EC2's dialect: `<XResponse>` with the request id first, errors in a list of one. */
export function ec2Service(actions: QueryActions, gate: Gate): Service {
  const namespace = 'http://ec2.amazonaws.com/doc/2016-11-15/';
  return guarded(ec2Error, async (call) => {
    const parameters = readParameters(call);
    const name = actionName(parameters, call);
    gate(name, call);
    const answer = await actionOf(actions, name)(parameters, call);
    const content = writeElement('requestId', call.requestId) + writeContent(answer);
    return xmlAnswer(
      200,
      call,
      `<${name}Response xmlns="${namespace}">${content}</${name}Response>`,
    );
  });
}

/** The dialect of IAM, STS and older SQS: a result element inside, the request id after it. */
export function queryService(options: {
  readonly actions: QueryActions;
  readonly gate: Gate;
  readonly namespace: string;
}): Service {
  return guarded(queryError(options.namespace), async (call) => {
    const parameters = readParameters(call);
    const name = actionName(parameters, call);
    options.gate(name, call);
    const answer = await actionOf(options.actions, name)(parameters, call);
    const result = answer === undefined ? '' : writeElement(`${name}Result`, answer, 'member');
    const content = `${result}<ResponseMetadata><RequestId>${call.requestId}</RequestId></ResponseMetadata>`;
    return xmlAnswer(
      200,
      call,
      `<${name}Response xmlns="${options.namespace}">${content}</${name}Response>`,
    );
  });
}

/** JSON 1.0 and 1.1: the action stands in `x-amz-target`. */
export function jsonService(options: {
  readonly actions: JsonActions;
  readonly gate: Gate;
  readonly version: '1.0' | '1.1';
}): Service {
  const contentType = `application/x-amz-json-${options.version}`;
  return guarded(jsonError(contentType), async (call) => {
    const name = call.target?.split('.').at(-1) ?? '';
    const action = Object.hasOwn(options.actions, name) ? options.actions[name] : undefined;
    if (action === undefined) throw unknownOperation(name);
    options.gate(name, call);
    return jsonAnswer(call, { contentType, body: await action(readJson(call), call) });
  });
}

/** REST-JSON: the action is method and path. `route` answers undefined for paths it does not know. */
export function restJsonService(
  route: (call: ServiceCall) => { readonly action: string; readonly run: () => object } | undefined,
  gate: Gate,
): Service {
  const contentType = 'application/json';
  return guarded(jsonError(contentType), async (call) => {
    const found = route(call);
    if (found === undefined) throw unknownOperation(`${call.method} ${call.path}`);
    gate(found.action, call);
    return jsonAnswer(call, { contentType, body: found.run() });
  });
}

function guarded(
  refuse: (call: ServiceCall, error: AwsError) => HttpResponse,
  answer: Service,
): Service {
  return async (call) => {
    try {
      if (!call.isSigned) throw missingToken(call);
      return await answer(call);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return refuse(call, error);
    }
  };
}

function missingToken(call: ServiceCall): AwsError {
  const isQuery =
    call.target === undefined && call.service !== 'eks' && call.service !== 'arc-zonal-shift';
  return isQuery
    ? new AwsError('MissingAuthenticationToken', 'Request is missing Authentication Token', {
        status: 403,
      })
    : new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', {
        status: 403,
      });
}

function actionName(parameters: Parameters, call: ServiceCall): string {
  const name = text(parameters, 'Action');
  if (name === undefined || name === '') {
    throw new AwsError('MissingAction', 'The request must contain the parameter Action', {
      status: call.service === 'ec2' ? 400 : 404,
    });
  }
  return name;
}

function actionOf(actions: QueryActions, name: string): QueryAction {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw new AwsError('InvalidAction', `The action ${name} is not valid for this web service.`);
  }
  return action;
}

function unknownOperation(name: string): AwsError {
  return new AwsError('UnknownOperationException', `The operation ${name} is not known.`);
}

function ec2Error(call: ServiceCall, error: AwsError): HttpResponse {
  const errors = [{ Code: error.code, Message: error.message }];
  const content = `<Errors>${errors.map((entry) => writeElement('Error', entry)).join('')}</Errors>`;
  return xmlAnswer(
    error.status,
    call,
    `<Response>${content}${writeElement('RequestID', call.requestId)}</Response>`,
  );
}

function queryError(namespace: string) {
  return (call: ServiceCall, error: AwsError): HttpResponse => {
    const type = error.status < 500 ? 'Sender' : 'Receiver';
    const code = error.details.queryCode ?? error.code;
    const body = writeElement('Error', { Type: type, Code: code, Message: error.message });
    return xmlAnswer(
      error.status,
      call,
      `<ErrorResponse xmlns="${namespace}">${body}${writeElement('RequestId', call.requestId)}</ErrorResponse>`,
    );
  };
}

function jsonError(contentType: string) {
  return (call: ServiceCall, error: AwsError): HttpResponse => {
    const { queryCode, ...details } = error.details;
    const type = error.code.split('#').at(-1) ?? error.code;
    return {
      status: error.status,
      headers: {
        'content-type': contentType,
        'x-amzn-requestid': call.requestId,
        'x-amzn-errortype': type,
        ...(queryCode === undefined ? {} : { 'x-amzn-query-error': `${queryCode};Sender` }),
      },
      body: JSON.stringify({ __type: error.code, message: error.message, ...details }),
    };
  };
}

function xmlAnswer(status: number, call: ServiceCall, xml: string): HttpResponse {
  return {
    status,
    headers: {
      'content-type': 'text/xml;charset=UTF-8',
      'x-amzn-requestid': call.requestId,
    },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`,
  };
}

function jsonAnswer(
  call: ServiceCall,
  answer: { readonly contentType: string; readonly body: object },
): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': answer.contentType, 'x-amzn-requestid': call.requestId },
    body: JSON.stringify(answer.body),
  };
}
