/**
 * What a caller accepts, read from `Accept-Encoding` (RFC 9110 §12.5.3). Anybody can send this header: reading it takes
 * time in proportion to its length.
 */

/** The encodings named, each with how much it is wanted, from 0 (not at all) to 1. */
export function readEncodings(header: string | string[] | undefined): ReadonlyMap<string, number> {
  const offers = String(header ?? '')
    .toLowerCase()
    .split(',')
  return new Map(
    offers.map((offer) => {
      const [name, ...parameters] = offer.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [name!, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const
    }),
  )
}
