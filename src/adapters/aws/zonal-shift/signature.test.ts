import { EKSClient } from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { signedHeaders } from './signature.ts';

test.each([undefined, 'a-session-token'])(
  'with session token %s it signs as the SDK does',
  async (sessionToken) => {
    const credentials = {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
      ...(sessionToken === undefined ? {} : { sessionToken }),
    };
    const [region, service, host] = ['eu-west-1', 'arc-zonal-shift', 'arc.example.com:8443'];
    const path = `/managedresources/${encodeURIComponent('arn:aws:eks:eu-west-1:1:cluster/a b')}`;
    const signingDate = new Date(Date.UTC(2026, 10, 16, 9, 8, 7));
    const client = new EKSClient({ region, credentials });
    const signer = await client.config.signer({
      name: 'sigv4',
      ...{ signingName: service, signingRegion: region, properties: {} },
    });
    const theirs = await signer.sign(
      {
        ...{ method: 'GET', protocol: 'https:', hostname: 'arc.example.com', port: 8443, path },
        headers: { host },
      },
      { signingDate },
    );
    expect(
      signedHeaders({ host, path, region, service, credentials, nowMs: signingDate.getTime() }),
    ).toEqual(theirs.headers);
  },
);
