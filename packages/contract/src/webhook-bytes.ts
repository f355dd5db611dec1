/** Bytes of signed deliveries: keys, encodings, and the ways a body is changed without anybody meaning to. Runs in browsers too. */

/** Text and bytes, one after the other. */
export function joinBytes(head: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = new TextEncoder().encode(head)
  const joined = new Uint8Array(first.length + body.length)
  joined.set(first)
  joined.set(body, first.length)
  return joined
}

/** The bytes that pairs of hex digits stand for. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The bytes that base64 stands for; null for what is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** The key that a signing secret (`whsec_…`) stands for; null when it is none. */
export function signingKey(secret: string): Uint8Array<ArrayBuffer> | null {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim()) ?? []
  const key = encoded === undefined ? null : fromBase64(encoded)
  return key !== null && key.length > 0 ? key : null
}

/** True for the same bytes; takes the same time wherever they differ. */
export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!
  return difference === 0
}

/** What a body may have been before something on its way changed it, each with what would have happened to it. */
export function bodyVariants(body: Uint8Array): readonly { readonly how: string; readonly variant: Uint8Array }[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const bytes = (changed: string) => new TextEncoder().encode(changed)
  const variants = [
    { how: 'a line break was added at its end', variant: bytes(text.replace(/\r?\n$/, '')) },
    { how: 'a line break is missing at its end', variant: bytes(`${text}\n`) },
    { how: 'its line breaks were changed', variant: bytes(text.replaceAll('\r\n', '\n')) },
    { how: 'space was added around it', variant: bytes(text.trim()) },
    { how: 'a byte order mark was added', variant: bytes(text.replace(/^\uFEFF/, '')) },
    ...writtenAgain(text).map((changed) => ({
      how: 'it was parsed and written again: sign and verify the bytes that came, before any JSON parser',
      variant: bytes(changed),
    })),
  ]
  return variants.filter(({ variant }) => !isSameBytes(variant, body))
}

function writtenAgain(text: string): string[] {
  try {
    return [JSON.stringify(JSON.parse(text))]
  } catch {
    return []
  }
}
