const EARLIEST_MS = Date.UTC(2003, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** An instant from a time stamp in milliseconds, else from a full date in text; null for relative texts (`7h`) and nonsense. */
export function instant(timestamp: number | string | null | undefined, date: string | null | undefined): string | null {
  const stamp = typeof timestamp === 'string' && /^\d{12,14}$/.test(timestamp) ? Number(timestamp) : timestamp
  if (typeof stamp === 'number' && stamp >= EARLIEST_MS && stamp < LATEST_MS) return new Date(stamp).toISOString()
  // A date without a zone is UTC at every vendor.
  const parts = date
    ? /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\s*(Z|[+-]\d\d:?\d\d)?)?/.exec(date)
    : null
  if (!parts) return null
  const zone = (parts[3] ?? 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${parts[1]}T${parts[2] ?? '00:00:00'}${zone}`)
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms).toISOString() : null
}
