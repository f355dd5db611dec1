/** The service's settings, typed and frozen; only `env.ts` reads the environment. */

import type { KeepDays } from '../modules/accounts/rules/keep-days.ts'
import type { TracingSettings } from '../platform/tracing.ts'
import type { DestinationAddresses } from './destinations.ts'
import { networkVendors, perNetworkVendor, type NetworkVendorId } from './network-vendors.ts'

export type Role = 'http' | 'worker' | 'clock'

export type VendorSettings = { readonly url: string; readonly key: string }

/** AI vendors for which a team may store a key (G64). */
export type AiVendor = 'openai' | 'anthropic' | 'google' | 'mistral'

export type MailSettings = { readonly url: string; readonly from: string }

/** Costs of vendors, and the price of a credit. */
export type ServingSettings = {
  /** The most that each vendor may cost per UTC day, in dollars. */
  readonly dailyDollars: Readonly<Record<string, number>>
  /** The most pages of one read that the fallback serves to background work. */
  readonly fallbackPages: number
  /** The price of a credit in dollars, for margins. */
  readonly creditDollars: number | null
  /** Receives warnings about vendors' balances. */
  readonly operatorMail: string | null
}

/** All settings. "Left out" fields are optional, so that tests and the bench, which build a `Config` by hand, may omit them. */
export type Config = {
  readonly port: number
  readonly host: string
  readonly roles: readonly Role[]
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  /** The same database, bypassing a pooler, for what needs a session of its own; left out: `databaseUrl`. */
  readonly databaseDirectUrl?: string | undefined
  /** The least number of schemas to spread teams over; left out: one. */
  readonly shards?: number | undefined
  readonly dataDir: string
  /** Null: made and kept in the data folder (embedded database only). */
  readonly masterKey: Buffer | null
  /** Null: made and kept in the data folder with an embedded database, else unknown to everybody. */
  readonly operatorToken: string | null
  /** The contact in `/.well-known/security.txt`, as a URI. */
  readonly securityContact: string | null
  /** `sandbox`: the whole outside world is synthetic; `real`: the configured vendors. */
  readonly vendors:
    | { readonly kind: 'sandbox' }
    | ({
        readonly kind: 'real'
        readonly outreach: string
        readonly ai: Readonly<Record<AiVendor, string>>
      } & Readonly<Record<NetworkVendorId, VendorSettings | null>>)
  /** Base URLs of destinations, where set. */
  readonly destinations?: DestinationAddresses | undefined
  readonly allowPrivateDestinations: boolean
  /** Who may make an account, and whether people may open teams with a free trial. */
  readonly signUp: 'open' | 'invited' | 'off'
  /** Desktop programs' URL schemes to which agent tools' sign-in may redirect, such as `cursor`; left out: the known ones. */
  readonly redirectSchemes?: readonly string[] | undefined
  /** False: every agent route answers 503 `agent_unavailable`. */
  readonly agentEnabled: boolean
  /** Proven mail addresses, in lower case, that see the operators' page; left out: nobody. */
  readonly operators?: readonly string[]
  /** When keyword searches begin to need the spend contract; null: not configured (G68). */
  readonly keywordCutoverAt: Date | null
  readonly clock: { readonly mode: 'system' } | { readonly mode: 'manual'; readonly start: Date | null }
  readonly faults: boolean
  readonly seedDemo: boolean
  readonly metricsPort: number | null
  /** A separate port for the operator API; null: the public port. */
  readonly operatorPort: number | null
  readonly logLevel: string
  /** The public origin without a trailing slash, such as `https://leads.example.com`; null: the listening address. */
  readonly publicUrl: string | null
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Left out: no caps, no warnings and no price. */
  readonly serving?: ServingSettings
  /** Days that old rows are kept, by rule, where not the default (docs/retention.md). */
  readonly keepDays?: KeepDays
  /** Null: mail is written to files in the data folder. */
  readonly mail: MailSettings | null
  readonly tracing?: TracingSettings | undefined
}

/** Default base URLs of the vendors; those of AI and outreach include the version path (G120). */
export const vendorDefaults = {
  ...perNetworkVendor((id) => networkVendors[id].url),
  outreach: 'https://api.heyreach.io/api/public',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
} as const

/** When keyword searches begin to need the spend contract, by default. */
export const defaultKeywordCutover = '2026-11-01T00:00:00Z'

/** 30 pages: 300 people of a post, for about 30 cents. */
export const defaultFallbackPages = 30
