import { z } from 'zod'

export type StoredObject = { body: Buffer; headers: Record<string, string>; at: string; writes: number }

/** A manual change of an access key; registering its secret turns signature checks on. */
export const keyChange = z.union([z.strictObject({ secret: z.string() }), z.strictObject({ revoked: z.boolean() })])

export function openStore() {
  const buckets = new Map<string, Map<string, StoredObject>>()
  return {
    bucket(name: string): Map<string, StoredObject> {
      const known = buckets.get(name) ?? new Map<string, StoredObject>()
      buckets.set(name, known)
      return known
    },
    secrets: new Map<string, string>(),
    revoked: new Set<string>(),
    clear(): void {
      buckets.clear()
      this.secrets.clear()
      this.revoked.clear()
    },
  }
}

export type Store = ReturnType<typeof openStore>
