/** The service's settings, typed and frozen; read from the environment by `env.ts` alone. */

/** What a process does. */
export type Role = 'http' | 'worker' | 'clock'

/** A vendor of network data that is set up. */
export type VendorSettings = { readonly url: string; readonly key: string }

/** Everything that can be set (design §9). */
export type Config = {
  readonly port: number
  readonly host: string
  readonly roles: readonly Role[]
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Null: made and kept in the data folder (embedded only). */
  readonly masterKey: Buffer | null
  /** Null: made and kept in the data folder when embedded, else nobody knows it. */
  readonly operatorToken: string | null
  /** `sandbox`: the whole outside world is the synthetic one; else the vendors that are set up. */
  readonly outside: { readonly kind: 'sandbox' } | { readonly kind: 'real'; readonly harvestapi: VendorSettings | null; readonly linkdapi: VendorSettings | null }
  readonly allowPrivateDestinations: boolean
  readonly clock: { readonly mode: 'system' } | { readonly mode: 'manual'; readonly start: Date | null }
  readonly faults: boolean
  readonly seedDemo: boolean
  readonly metricsPort: number | null
  readonly logLevel: string
}

/** Addresses of the vendors unless told otherwise; adapters add their paths (G120). */
export const vendorDefaults = { harvestapi: 'https://api.harvestapi.io', linkdapi: 'https://linkdapi.com' } as const
