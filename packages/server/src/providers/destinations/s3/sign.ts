import { createHash, createHmac } from 'node:crypto'

/** A request to sign; header names in lower case, every character of the key in `url` encoded. */
type Unsigned = {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly bodyHash: string
}

/** The key, region and time of a signature. */
type Signer = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly now: Date
}

/** AWS Signature Version 4: the given headers plus the signature's; `host` is signed but left to the connection. */
export function signed({ method, url, headers, bodyHash }: Unsigned, signer: Signer): Record<string, string> {
  const instant = signer.now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const sent = { ...headers, 'x-amz-content-sha256': bodyHash, 'x-amz-date': instant }
  const names = Object.keys({ ...sent, host: '' }).sort()
  const signedValue = (name: string) => (name === 'host' ? url.host : sent[name as keyof typeof sent].trim())
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${signedValue(name)}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n')
  const scope = [instant.slice(0, 8), signer.region, 's3', 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', instant, scope.join('/'), sha256Hex(canonical)].join('\n')
  const key = scope.reduce<Buffer>((above, part) => hmac(above, part), Buffer.from(`AWS4${signer.secretAccessKey}`))
  const credential = `${signer.accessKeyId}/${scope.join('/')}`
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, toSign).toString('hex')}`,
  }
}

/** SHA-256 in hex. */
export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** URL-encodes as AWS does: everything but letters, digits and `-._~`. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
