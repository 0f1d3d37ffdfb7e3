/**
 * Values as XML: objects become elements, an array becomes one element around `item` elements,
 * `undefined` is left out. Enough for every answer of EC2, IAM, STS and the older SQS protocol.
 */
export type XmlValue =
  | string
  | number
  | boolean
  | undefined
  | readonly XmlValue[]
  | XmlObject
  | Repeated
  | Rendered;

export interface XmlObject {
  readonly [name: string]: XmlValue;
}

/** Elements of one name in a row, without an element around them. */
class Repeated {
  readonly values: readonly XmlValue[];
  constructor(values: readonly XmlValue[]) {
    this.values = values;
  }
}

/** XML that was written before, for answers that are asked for again and again. */
export class Rendered {
  readonly xml: string;
  constructor(xml: string) {
    this.xml = xml;
  }
}

export function repeated(values: readonly XmlValue[]): Repeated {
  return new Repeated(values);
}

/** One element with its content. `itemName` names the members of arrays. */
export function writeElement(name: string, value: XmlValue, itemName = 'item'): string {
  if (value === undefined) return '';
  if (value instanceof Repeated) {
    return value.values.map((member) => writeElement(name, member, itemName)).join('');
  }
  return `<${name}>${writeContent(value, itemName)}</${name}>`;
}

/** What stands between the tags of an element. */
export function writeContent(value: XmlValue, itemName = 'item'): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeXml(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Rendered) return value.xml;
  if (value instanceof Repeated) return writeElement(itemName, value, itemName);
  if (isArray(value)) {
    return value.map((member) => writeElement(itemName, member, itemName)).join('');
  }
  let xml = '';
  for (const name of Object.keys(value)) xml += writeElement(name, value[name], itemName);
  return xml;
}

function isArray(value: readonly XmlValue[] | XmlObject): value is readonly XmlValue[] {
  return Array.isArray(value);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Text that may stand in an element. Characters that XML 1.0 cannot hold become a question mark. */
export function escapeXml(value: string): string {
  return special.test(value)
    ? value.replace(specials, (character) => escapes[character] ?? '?')
    : value;
}

// A name of its own, since control characters in the pattern of an expression are a lint error.
const pattern = '[&<>"\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff]';
const special = new RegExp(pattern);
const specials = new RegExp(pattern, 'g');
