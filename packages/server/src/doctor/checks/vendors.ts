import { openDataVendors } from '../../composition/calls.ts'
import { keySettings, vendorSetting } from '../../config/network-vendors.ts'
import type { AccountReport, VendorAccount } from '../../providers/accounts.ts'
import { unlimitedBudget } from '../../providers/budget.ts'
import { ProviderFailure } from '../../providers/ports.ts'
import { bad, ok, skipped, warn, type Check, type DoctorParts, type Finding } from '../check.ts'

/** Longer than the vendors' usual answers. */
const callOptions = { timeoutMs: 15_000 } as const

/** A first sync of a busy author costs about half of this. */
const littleDollars = 2

export const vendors: Check = {
  name: 'vendors',
  about: 'keys, plans and balances of the data vendors',
  run: async (parts) => {
    if (parts.config.vendors.kind === 'sandbox')
      return [
        skipped(
          'the network is the synthetic one, which needs no vendor',
          `set ${keySettings.withFallback} for the real one`,
        ),
      ]
    const { egress, system, random } = parts
    const shared = { egress, system, random, budget: unlimitedBudget }
    const accounts = openDataVendors(parts.config, undefined, shared).map(({ account }) => account)
    const found = await Promise.all(accounts.map((account) => look(account, parts)))
    return [...found.flat(), ...(accounts.length === 1 ? [alone(accounts[0]!.vendor)] : [])]
  },
}

async function look(account: VendorAccount, { deep }: DoctorParts): Promise<readonly Finding[]> {
  const { vendor } = account
  const report = await account.report(callOptions).catch(asFailure)
  if (report instanceof ProviderFailure) return [refused(vendor, report)]
  const found = [describe(vendor, report)]
  if (!deep) return found
  const failure = await account.canary(callOptions).then(() => null, asFailure)
  return [...found, failure === null ? ok(`${vendor}: a call for data was answered`) : refused(vendor, failure)]
}

function asFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  throw error
}

function describe(vendor: string, report: AccountReport): Finding {
  const { plan, balance, credits, maxInFlight, perMinute } = report
  const money =
    balance === null
      ? 'a balance it does not tell'
      : `$${balance.toFixed(2)}${credits === null ? '' : ` (${credits} credits)`}`
  const facts = [
    'the key is good',
    ...(plan === null ? [] : [`plan ${plan}`]),
    `${money} left`,
    ...(maxInFlight === null ? [] : [`${maxInFlight} ${maxInFlight === 1 ? 'call' : 'calls'} at once`]),
    ...(perMinute === null ? [] : [`${perMinute} calls a minute`]),
  ]
  const text = `${vendor}: ${facts.join(', ')}`
  if (balance !== null && balance <= 0)
    return bad(text, `buy credit at ${vendor}: its work waits, and goes on by itself within a minute or two`)
  if (balance !== null && balance < littleDollars) return warn(text, `buy credit at ${vendor} soon`)
  return ok(text)
}

function refused(vendor: string, failure: ProviderFailure): Finding {
  const setting = vendorSetting(vendor, 'KEY')
  const address = vendorSetting(vendor, 'URL')
  const vendorMessage = failure.vendorMessage === null ? '' : `; it said: "${failure.vendorMessage}"`
  const words: Record<ProviderFailure['kind'], readonly [what: string, advice: string]> = {
    account:
      failure.why === 'money'
        ? ['the account is out of money', `buy credit at ${vendor}`]
        : ['the key is refused', `set ${setting} to a key of an account that is open`],
    rate_limited: ['it takes no more calls for now', 'call again in a minute; fewer calls at once need a bigger plan'],
    unavailable: ['it does not answer', `see that this machine reaches ${vendor}, and whether ${vendor} is up`],
    malformed: ['it answers what nobody can read', `see that ${address} names ${vendor} itself`],
    not_found: ['it does not know the address', `see that ${address} names ${vendor} itself`],
  }
  const [what, advice] = words[failure.kind]
  return bad(`${vendor}: ${what}${vendorMessage}`, advice)
}

const alone = (vendor: string): Finding =>
  warn(
    `${vendor} is the only vendor`,
    `work waits whenever ${vendor} is away: a second vendor serves meanwhile (${keySettings.every.join(', ')})`,
  )
