/** The buckets of a store that speaks S3. */

/** An object, as it was put. */
export type StoredObject = { body: Buffer; headers: Record<string, string>; at: string; writes: number }

/** Makes an empty store. */
export function createS3() {
  const buckets = new Map<string, Map<string, StoredObject>>()
  /** Secrets of registered access keys. */
  const secrets = new Map<string, string>()
  const revoked = new Set<string>()
  const bucket = (name: string): Map<string, StoredObject> => {
    const known = buckets.get(name) ?? new Map<string, StoredObject>()
    buckets.set(name, known)
    return known
  }
  return {
    bucket,
    secrets,
    revoked,
    clear(): void {
      buckets.clear()
      secrets.clear()
      revoked.clear()
    },
  }
}
