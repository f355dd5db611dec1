/**
 * Spend confirmation, the one mechanism of every operation that creates or raises a charge (specification «Spend confirmation
 * pattern»; SPD-01..SPD-06, SPD-20). A figure without an honest number is left out, never null; 0 days is a real value.
 */
import { creditAPersonSaid, errorTable } from '@les/contract'

/** What a refusal says of a charge for people: the figures do not say that a person is paid for at each source (G163). */
export const confirmPeople = `${errorTable.spend_confirmation_required.message}. ${creditAPersonSaid}`

/** What a refusal says of a charge in some mode; a watch of posts pays for posts. */
export const confirmIn = (mode: 'engagers' | 'posts_only'): string | undefined =>
  mode === 'engagers' ? confirmPeople : undefined

/** What an operation would cost: at most so many credits a day (null: nobody can say), or so many in all. */
type Cost =
  | { readonly per: 'day'; readonly credits: number | null }
  | { readonly per: 'call'; readonly credits: number }

/** The figures a refusal quotes. */
export type Quote = {
  readonly estimatedDailyMax?: number
  readonly daysToExhaustAtCap?: number
  readonly estimatedCredits?: number
  readonly remainingBalance: number
}

/** Whole days the balance lasts at a daily maximum (G18). */
const daysToExhaust = (balance: number, dailyMax: number): number => Math.floor(balance / dailyMax)

/** The figures of a cost, against the balance. */
export function quote(cost: Cost, balance: number): Quote {
  if (cost.per === 'call') return { estimatedCredits: cost.credits, remainingBalance: balance }
  if (cost.credits === null) return { remainingBalance: balance }
  return {
    estimatedDailyMax: cost.credits,
    ...(cost.credits > 0 ? { daysToExhaustAtCap: daysToExhaust(balance, cost.credits) } : {}),
    remainingBalance: balance,
  }
}

/** True when a request may not go on: it creates or raises a charge and only the boolean `true` is a yes (SPD-05). */
export const mustConfirm = (request: {
  readonly raises: boolean
  readonly confirmSpend: boolean | undefined
}): boolean => request.raises && request.confirmSpend !== true
