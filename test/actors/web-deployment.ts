/** A Deployment named `web` of small pods, with more said about itself and about its pods. */
export function web(
  replicas: number,
  more: { readonly deployment?: object; readonly pod?: object } = {},
) {
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'web:1', resources: { requests: { cpu: '100m' } } }];
  return {
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...more.pod } },
      ...more.deployment,
    },
  };
}
