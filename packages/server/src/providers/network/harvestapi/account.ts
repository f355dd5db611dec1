import { z } from 'zod'
import type { VendorAccount } from '../../accounts.ts'
import { count, dollars, listOf, maybe, text } from '../normal/lenient.ts'
import { answered } from '../canary.ts'
import type { HarvestClient } from './client.ts'

const account = z.object({
  user: maybe(
    z.object({
      planName: text,
      membershipTier: text,
      requestsConcurrency: count,
      totalBalance: dollars,
      activePackages: listOf(z.object({ amountRemaining: dollars })),
    }),
  ),
  usage: maybe(z.object({ balance: dollars })),
})

/** The account as HarvestAPI shows it: dollars in packages that were bought ahead, and calls in flight by plan. */
export function harvestAccount(client: HarvestClient): VendorAccount {
  return {
    vendor: 'harvestapi',
    report: async (options) => {
      const body = await client.account({ operation: 'account', path: '/users/my-api-user', query: {} }, options)
      const { user, usage } = account.parse(body)
      if (user === null) throw client.malformed('account', 'the answer has no user')
      const packages = user.activePackages.flatMap((each) => each.amountRemaining ?? [])
      return {
        plan: user.planName ?? user.membershipTier,
        balance: user.totalBalance ?? usage?.balance ?? (packages.length > 0 ? sum(packages) : null),
        credits: null,
        maxInFlight: user.requestsConcurrency,
        perMinute: null,
      }
    },
    // A page that will always be there; without it, "not found" is an answer too.
    canary: (options) =>
      answered(
        client.element(
          { operation: 'canary', path: '/linkedin/company', query: { universalName: 'linkedin' } },
          options,
        ),
      ),
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
