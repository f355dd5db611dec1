/** The service's settings, typed and frozen; read from the environment by `env.ts` alone. */

import type { KeepDays } from '../modules/accounts/rules/keep-days.ts'
import type { TracingSettings } from '../platform/tracing.ts'
import type { DestinationAddresses } from './destinations.ts'
import { networkVendors, perNetworkVendor, type NetworkVendorId } from './network-vendors.ts'

/** What a process does. */
export type Role = 'http' | 'worker' | 'clock'

/** A vendor of network data that is set up. */
export type VendorSettings = { readonly url: string; readonly key: string }

/** Vendors of AI that a team may store a key of (G64). */
export type AiVendor = 'openai' | 'anthropic' | 'google' | 'mistral'

/** Where mail goes: a server, and who it comes from. */
export type MailSettings = { readonly url: string; readonly from: string }

/** The money of serving. */
export type ServingSettings = {
  /** Dollars that a vendor may cost in a UTC day. */
  readonly dailyDollars: Readonly<Record<string, number>>
  /** Pages of one read that the fallback serves to background work. */
  readonly fallbackPages: number
  /** Dollars that a team's own AI keys may cost it in a UTC day; null for no cap. */
  readonly aiDailyDollars: number | null
  /** Dollars that a team pays for a credit, for margins. */
  readonly creditDollars: number | null
  /** Who is told that a vendor's balance goes down. */
  readonly operatorMail: string | null
}

/** Everything that can be set. A field with a `left out:` is optional by habit, so that tests and the bench, which make a `Config` by hand, need not name it. */
export type Config = {
  readonly port: number
  readonly host: string
  readonly roles: readonly Role[]
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  /** The same database past a pooler, for what needs a session of its own; left out: `databaseUrl`. */
  readonly databaseDirectUrl?: string | undefined
  /** Schemas that whole teams are spread over, at least; left out: one. */
  readonly shards?: number | undefined
  readonly dataDir: string
  /** Null: made and kept in the data folder (embedded only). */
  readonly masterKey: Buffer | null
  /** Null: made and kept in the data folder when embedded, else nobody knows it. */
  readonly operatorToken: string | null
  /** Where `/.well-known/security.txt` sends who found a hole, as a URI. */
  readonly securityContact: string | null
  /** `sandbox`: the whole outside world is the synthetic one; else the vendors that are set up. */
  readonly vendors:
    | { readonly kind: 'sandbox' }
    | ({
        readonly kind: 'real'
        readonly outreach: string
        readonly ai: Readonly<Record<AiVendor, string>>
      } & Readonly<Record<NetworkVendorId, VendorSettings | null>>)
  /** Base addresses of destinations, where they are set. */
  readonly destinations?: DestinationAddresses
  readonly allowPrivateDestinations: boolean
  /** Who may make an account, and whether people open teams with a free trial themselves. */
  readonly signUp: 'open' | 'invited' | 'off'
  /** Schemes of desktop programs that agent tools may be sent back to, for example `cursor`; left out: those that are known. */
  readonly redirectSchemes?: readonly string[]
  /** False: every agent route answers 503 `agent_unavailable`. */
  readonly agentEnabled: boolean
  /** Proven addresses of the people who run the service, in lower case: they see its page of operations. Left out: nobody. */
  readonly operators?: readonly string[]
  /** From when on keyword searches need the spend contract; null: not configured (G68). */
  readonly keywordCutoverAt: Date | null
  readonly clock: { readonly mode: 'system' } | { readonly mode: 'manual'; readonly start: Date | null }
  readonly faults: boolean
  readonly seedDemo: boolean
  readonly metricsPort: number | null
  /** A port of its own for the operator surface; null: it is served on the public port. */
  readonly operatorPort: number | null
  readonly logLevel: string
  /** Where people reach the service, without a slash at the end: `https://leads.example.com`. Null: the address it listens on. */
  readonly publicUrl: string | null
  /** Addresses or ranges of the proxies before the service, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** What vendors may cost and who hears of it; left out: no cap, nobody, and no price. */
  readonly serving?: ServingSettings
  /** Days that old rows are kept, by rule, where they differ from the defaults (docs/retention.md). */
  readonly keepDays?: KeepDays
  /** Null: mail is written to files in the data folder. */
  readonly mail: MailSettings | null
  /** Where traces go; left out: nowhere. */
  readonly tracing?: TracingSettings
}

/**
 * Default addresses of the vendors; adapters add their paths, and those of AI and outreach include their
 * version path (G120).
 */
export const vendorDefaults = {
  ...perNetworkVendor((id) => networkVendors[id].url),
  outreach: 'https://api.heyreach.io/api/public',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
} as const

/** The default cut-over to the spend contract. */
export const defaultKeywordCutover = '2026-11-01T00:00:00Z'

/** Default pages of one read at the fallback: 300 people of a post, for about 30 cents. */
export const defaultFallbackPages = 30
