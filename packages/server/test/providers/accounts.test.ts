import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asText, examine } from '../../src/doctor/index.ts'
import { vendors } from '../../src/doctor/checks/vendors.ts'
import type { Config } from '../../src/config/config.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { NetworkVendor } from '../../src/providers/accounts.ts'
import { openOutside, type Outside } from './fixtures.ts'
import { adaptersAnswering, failureOf, vendorNames } from './quick.ts'

let outside: Outside
beforeAll(async () => {
  outside = await openOutside()
})
afterAll(() => outside.close())

const at = (name: (typeof vendorNames)[number], apiKey = 'good-key') =>
  (outside.vendor(name, { apiKey }) as NetworkVendor).account

describe('the account at a data vendor', () => {
  it('is tried by a call whose every answer counts, also that there is no such thing', async () => {
    const calls = () => vendorNames.map((vendor) => outside.sandbox.world.calls({ vendor }).length)
    const before = calls()
    for (const name of vendorNames) await at(name).canary()
    for (const name of vendorNames) {
      outside.sandbox.world.fault({ kind: 'not_found', vendor: name, times: 1 })
      await at(name).canary()
    }
    outside.sandbox.world.clearFaults()
    expect(calls()).toEqual(before.map((count) => count + 2))
    for (const name of vendorNames) expect((await failureOf(at(name, 'bad-key').canary())).kind).toBe('account')
  })
  it('says whether the key or the money is at fault, whatever way the vendor says it', async () => {
    for (const name of vendorNames)
      expect(await failureOf(at(name, 'bad-key').report())).toMatchObject({ kind: 'account', why: 'key' })
    const empty = adaptersAnswering({ status: 402, body: { error: 402, message: 'Payment required' } })
    for (const adapter of [empty.harvest, empty.linkd])
      expect(await failureOf((adapter as NetworkVendor).account.report())).toMatchObject({
        kind: 'account',
        why: 'money',
      })
    const words = adaptersAnswering({ status: 403, body: { success: false, message: 'Not enough credits' } })
    expect(await failureOf(words.linkd.profile({ handle: 'a' }))).toMatchObject({ kind: 'account', why: 'money' })
  })
})

describe('the doctor', () => {
  const examined = (keys: { harvestapi: string | null; linkdapi: string | null }, deep = false) => {
    const real = (name: 'harvestapi' | 'linkdapi') =>
      keys[name] === null ? null : { url: outside.sandbox.addresses[name], key: keys[name] }
    const config = { vendors: { kind: 'real', harvestapi: real('harvestapi'), linkdapi: real('linkdapi') } } as Config
    return examine({ config, deep, egress: outside.egress, system: systemClock, random: { next: () => 0.5 } }, [
      vendors,
    ])
  }
  it('says of every vendor what its operator has to know, and with --deep that a call gets through', async () => {
    const told = await examined({ harvestapi: 'key-of-one', linkdapi: 'key-of-two' }, true)
    expect(told.map(({ level, text }) => `${level} ${text}`)).toEqual([
      'ok harvestapi: the key is good, plan Pro, $780.00 left, 20 calls at once',
      'ok harvestapi: a call for data was answered',
      'ok linkdapi: the key is good, plan Business, $500.00 (50000 credits) left, 6000 calls a minute',
      'ok linkdapi: a call for data was answered',
    ])
  })
  it('says what to do about a refused key, and tells no key', async () => {
    const text = asText(await examined({ harvestapi: 'bad-key', linkdapi: null }))
    expect(text).toMatch(
      /^bad +vendors +harvestapi: the key is refused; it said: "Invalid API key"\n +-> set LES_HARVESTAPI_KEY/,
    )
    expect(text).toMatch(/warn +vendors +harvestapi is the only vendor/)
    expect(text).not.toContain('bad-key')
  })
  it('tells a check that throws as bad, beside what the others found', async () => {
    const config = { vendors: { kind: 'sandbox' } } as Config
    const broken = { name: 'broken', about: '', run: () => Promise.reject(new Error('no luck')) }
    const parts = { config, deep: false, egress: outside.egress, system: systemClock, random: { next: () => 0.5 } }
    expect(await examine(parts, [broken, vendors])).toMatchObject([
      { check: 'broken', level: 'bad', text: 'this could not be looked at: no luck' },
      { check: 'vendors', level: 'skipped' },
    ])
  })
})
