/** How long what is kept is kept. */
import { keepMistake, type KeepDays } from '../modules/accounts/rules/keep-days.ts'
import { text, type Reading } from './reading.ts'

/** Days by rule of retention: `jobs=14,audit=800`. */
export function keepDays(reading: Reading): KeepDays {
  const given = (text(reading, 'LES_KEEP_DAYS') ?? '').split(',').filter((part) => part.trim() !== '')
  const read = given.map((part) => part.split('=').map((each) => each.trim()))
  for (const [rule = '', days = ''] of read) {
    const mistake = keepMistake(rule, /^\d{1,6}$/.test(days) ? Number(days) : Number.NaN)
    if (mistake !== null) reading.mistakes.push(`LES_KEEP_DAYS must be a list such as jobs=14,audit=800: ${mistake}`)
  }
  return Object.fromEntries(read.map(([rule, days]) => [rule, Number(days)]))
}
