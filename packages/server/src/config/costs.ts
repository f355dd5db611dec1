/** Bounds on what vendors cost, and who hears of them. */
import { defaultFallbackPages, type ServingSettings } from './config.ts'
import { networkVendorIds, vendorSetting } from './network-vendors.ts'
import { text, type Reading } from './reading.ts'

function dollars(reading: Reading, name: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(value))
    reading.mistakes.push(`${name} must be an amount of dollars such as 25 or 0.004, not ${JSON.stringify(value)}`)
  return Number(value)
}

function pages(reading: Reading, name: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  if (!/^[1-9]\d{0,4}$/.test(value))
    reading.mistakes.push(`${name} must be a number of pages from 1 to 99999, not ${JSON.stringify(value)}`)
  return Number(value)
}

/** What vendors may cost in a day, what a credit brings, and who hears of an account that empties. */
export function serving(reading: Reading): ServingSettings {
  const dailyDollars = networkVendorIds.flatMap((vendor) => {
    const cap = dollars(reading, vendorSetting(vendor, 'DAILY_DOLLARS'))
    return cap === null ? [] : [[vendor, cap] as const]
  })
  const operatorMail = text(reading, 'LES_OPERATOR_MAIL') ?? null
  if (operatorMail !== null && !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(operatorMail))
    reading.mistakes.push('LES_OPERATOR_MAIL must be one mail address, such as ops@example.com')
  return {
    dailyDollars: Object.fromEntries(dailyDollars),
    fallbackPages: pages(reading, 'LES_FALLBACK_PAGES') ?? defaultFallbackPages,
    aiDailyDollars: dollars(reading, 'LES_AI_DAILY_DOLLARS'),
    creditDollars: dollars(reading, 'LES_CREDIT_DOLLARS'),
    operatorMail,
  }
}
