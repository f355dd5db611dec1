/** The signature against AWS's published examples for S3 (signature calculations for the authorization header). */
import { describe, expect, it } from 'vitest'
import { encoded, sha256Hex, signed } from './sign.ts'

const signer = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  now: new Date('2013-05-24T00:00:00.000Z'),
}
const examples = [
  {
    what: 'GET an object',
    method: 'GET',
    path: '/test.txt',
    headers: { range: 'bytes=0-9' },
    body: '',
    names: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'PUT an object',
    method: 'PUT',
    path: `/${encoded('test$file.text')}`,
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    body: 'Welcome to Amazon S3.',
    names: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'GET the lifecycle of a bucket',
    method: 'GET',
    path: '/?lifecycle',
    headers: {},
    body: '',
    names: 'host;x-amz-content-sha256;x-amz-date',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'list objects',
    method: 'GET',
    path: '/?prefix=J&max-keys=2',
    headers: {},
    body: '',
    names: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
] as const

describe('signing', () => {
  it.each(examples)('$what: the signature that AWS publishes [DST-12]', ({ method, path, headers, body, ...want }) => {
    const url = new URL(path, 'https://examplebucket.s3.amazonaws.com')
    expect(signed({ method, url, headers, bodyHash: sha256Hex(body) }, signer)).toEqual({
      ...headers,
      'x-amz-date': '20130524T000000Z',
      'x-amz-content-sha256': sha256Hex(body),
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        `SignedHeaders=${want.names}, Signature=${want.signature}`,
    })
  })

  it('encodes all but letters, digits and four marks', () => {
    expect(encoded("a b/c+d'(e)!*~-._é")).toBe('a%20b%2Fc%2Bd%27%28e%29%21%2A~-._%C3%A9')
  })
})
