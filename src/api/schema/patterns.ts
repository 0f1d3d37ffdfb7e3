/** Regular expressions (RE2) that several fields share. */

export const durationPattern = '^([0-9]+(s|m|h))+$';
export const durationOrNeverPattern = '^(([0-9]+(s|m|h))+|Never)$';

/** `name` or `domain/name`, as of labels and taints. */
export const qualifiedNamePattern =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$';

export const labelValuePattern = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$';

/** A Kubernetes quantity without its anchors, to be part of a larger expression. */
export const bareQuantity =
  '(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?';

export const quantityPattern = `^${bareQuantity}$`;
