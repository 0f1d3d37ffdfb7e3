import { child, children, type Parameters, text, texts } from '../wire/parameters.ts';
import type { JsonAction, QueryAction } from '../wire/protocol.ts';
import { repeated, type XmlObject, type XmlValue } from '../wire/xml.ts';
import { type JsonInput, objectOf, objectsOf } from './json-input.ts';

/** The same actions under the query protocol, which clients before the end of 2023 speak. */
export function sqsQueryActions(
  actions: Readonly<Record<string, JsonAction>>,
): Readonly<Record<string, QueryAction>> {
  return Object.fromEntries(
    Object.entries(actions).map(([name, action]): [string, QueryAction] => [
      name,
      async (parameters, call) => {
        const answer = (await action(jsonOfQuery(name, parameters), call)) as JsonInput;
        return Object.keys(answer).length === 0 && !(name in entryNames)
          ? undefined
          : xmlOfJson(name, answer);
      },
    ]),
  );
}

const entryNames: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessageBatchResultEntry',
  DeleteMessageBatch: 'DeleteMessageBatchResultEntry',
};

function jsonOfQuery(action: string, parameters: Parameters): JsonInput {
  const plain = Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => typeof value === 'string'),
  );
  const attributes = children(parameters, 'Attribute').map((attribute) => [
    text(attribute, 'Name') ?? '',
    text(attribute, 'Value') ?? '',
  ]);
  return {
    ...plain,
    Attributes: Object.fromEntries(attributes),
    AttributeNames: texts(parameters, 'AttributeName'),
    MessageSystemAttributeNames: texts(parameters, 'MessageSystemAttributeName'),
    MessageAttributeNames: texts(parameters, 'MessageAttributeName'),
    MessageAttributes: messageAttributes(parameters),
    Entries: children(parameters, `${action}RequestEntry`).map((entry) => ({
      ...entry,
      MessageAttributes: messageAttributes(entry),
    })),
  };
}

function messageAttributes(parameters: Parameters): JsonInput {
  return Object.fromEntries(
    children(parameters, 'MessageAttribute').map((attribute) => [
      text(attribute, 'Name') ?? '',
      { ...child(attribute, 'Value') },
    ]),
  );
}

function xmlOfJson(action: string, answer: JsonInput): XmlObject {
  const entryName = entryNames[action];
  if (entryName !== undefined) {
    return { [entryName]: repeated(objectsOf(answer, 'Successful').map(plainXml)) };
  }
  return {
    QueueUrl: typeof answer.QueueUrl === 'string' ? answer.QueueUrl : queueUrls(answer),
    MessageId: textMember(answer, 'MessageId'),
    MD5OfMessageBody: textMember(answer, 'MD5OfMessageBody'),
    Attribute: repeated(nameAndValue(objectOf(answer, 'Attributes'))),
    Message: repeated(objectsOf(answer, 'Messages').map(messageXml)),
  };
}

function queueUrls(answer: JsonInput): XmlValue {
  const urls = answer.QueueUrls;
  return Array.isArray(urls) ? repeated(urls.map(String)) : undefined;
}

function messageXml(message: JsonInput): XmlObject {
  const { Attributes: _, MessageAttributes: __, ...plain } = message;
  return {
    ...plainXml(plain),
    Attribute: repeated(nameAndValue(objectOf(message, 'Attributes'))),
    MessageAttribute: repeated(
      Object.entries(objectOf(message, 'MessageAttributes')).map(([Name, value]) => ({
        Name,
        Value: plainXml(value as JsonInput),
      })),
    ),
  };
}

function nameAndValue(values: JsonInput): readonly XmlObject[] {
  return Object.entries(values).map(([Name, value]) => ({ Name, Value: String(value) }));
}

function plainXml(values: JsonInput): XmlObject {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

function textMember(answer: JsonInput, name: string): string | undefined {
  const value = answer[name];
  return typeof value === 'string' ? value : undefined;
}
