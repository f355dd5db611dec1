import { z } from 'zod'
import type { VendorAccount } from '../../accounts.ts'
import { answered } from '../canary.ts'
import { count, dollars, maybe, text } from '../normal/lenient.ts'
import type { LinkdClient } from './client.ts'
import { creditsPerDollar } from './prices.ts'

const account = z.object({
  balance: dollars,
  credits_per_dollar: dollars,
  current_tier: maybe(z.object({ name: text, limit_per_minute: count })),
})

/** The account as LinkdAPI shows it: credits bought ahead, and calls a minute by how many are held. */
export function linkdAccount(client: LinkdClient): VendorAccount {
  return {
    vendor: 'linkdapi',
    report: async (options) => {
      const operation = 'account'
      const tier = account.parse(
        await client.account({ operation, path: '/api/i/v1/credits/tier/k/', query: {} }, options),
      )
      const credits = tier.balance
      return {
        plan: tier.current_tier?.name ?? null,
        balance: credits === null ? null : credits / (tier.credits_per_dollar || creditsPerDollar),
        credits,
        maxInFlight: null,
        perMinute: tier.current_tier?.limit_per_minute ?? null,
      }
    },
    canary: (options) =>
      answered(
        client.data(
          {
            operation: 'canary',
            path: '/companies/company/universal-name-to-id',
            query: { universalName: 'linkedin' },
          },
          options,
        ),
      ),
  }
}
