/** Byte helpers for signed deliveries; runs in browsers too. */

/** Appends bytes to a text. */
export function joinBytes(head: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = new TextEncoder().encode(head)
  const joined = new Uint8Array(first.length + body.length)
  joined.set(first)
  joined.set(body, first.length)
  return joined
}

/** Decodes pairs of hex digits. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Null when the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** The key in a signing secret (`whsec_…`); null when malformed. */
export function signingKey(secret: string): Uint8Array<ArrayBuffer> | null {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim()) ?? []
  const key = encoded === undefined ? null : fromBase64(encoded)
  return key !== null && key.length > 0 ? key : null
}

/** Compares in constant time. */
export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!
  return difference === 0
}

/** What a body may have been before a proxy or framework changed it, each with the change. */
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
