/**
 * Spend confirmation, used by every operation that creates or raises a charge (specification «Spend confirmation pattern»;
 * SPD-01..SPD-06, SPD-20). Unknown figures are left out, never null; 0 days is a real value.
 */
import { creditAPersonSaid, errorTable } from '@les/contract'

/** Refusal message for charges per person; it says that each source charges for a person (G163). */
export const confirmPeople = `${errorTable.spend_confirmation_required.message}. ${creditAPersonSaid}`

/** Refusal message by capture mode; a posts-only watch charges for posts and has none. */
export const confirmIn = (mode: 'engagers' | 'posts_only'): string | undefined =>
  mode === 'engagers' ? confirmPeople : undefined

/** Credits per day at most (null: unknown), or for the whole call. */
type Cost =
  | { readonly per: 'day'; readonly credits: number | null }
  | { readonly per: 'call'; readonly credits: number }

export type Quote = {
  readonly estimatedDailyMax?: number
  readonly daysToExhaustAtCap?: number
  readonly estimatedCredits?: number
  readonly remainingBalance: number
}

/** G18: whole days. */
const daysToExhaust = (balance: number, dailyMax: number): number => Math.floor(balance / dailyMax)

/** The figures of a cost, compared with the balance. */
export function quote(cost: Cost, balance: number): Quote {
  if (cost.per === 'call') return { estimatedCredits: cost.credits, remainingBalance: balance }
  if (cost.credits === null) return { remainingBalance: balance }
  return {
    estimatedDailyMax: cost.credits,
    ...(cost.credits > 0 ? { daysToExhaustAtCap: daysToExhaust(balance, cost.credits) } : {}),
    remainingBalance: balance,
  }
}

/** Whether a request must be refused: it creates or raises a charge without the boolean `true` as confirmation (SPD-05). */
export const mustConfirm = (request: {
  readonly raises: boolean
  readonly confirmSpend: boolean | undefined
}): boolean => request.raises && request.confirmSpend !== true
