/** What the operator's account at a data vendor says of itself; what is asked here goes past the breaker, which it decides about. */
import type { CallOptions } from './ports.ts'

/** An account, as far as the vendor tells; null where it does not. */
export type AccountReport = {
  readonly plan: string | null
  /** What is left, in dollars. */
  readonly balance: number | null
  /** The same in the vendor's own unit, for those that count in one. */
  readonly credits: number | null
  /** Calls it may have in flight at once. */
  readonly maxInFlight: number | null
  readonly perMinute: number | null
}

/** The operator's account at one data vendor. Both throw `ProviderFailure`. */
export interface VendorAccount {
  /** Its id, such as `harvestapi`: the name in logs, metrics and tables. */
  readonly vendor: string
  /** Reads the account; free of charge, and fails with `why` `key` or `money` when it is no good. */
  report(options?: CallOptions): Promise<AccountReport>
  /** One cheap call for data: resolves when the vendor answers, whatever it answers. Costs at most about a cent. */
  canary(options?: CallOptions): Promise<void>
}
