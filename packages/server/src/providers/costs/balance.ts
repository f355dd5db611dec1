/** When the operator hears that a vendor's balance goes down: at 20, 10 and 0 % of what it was after money was last paid in. */

/** What is remembered of a balance. `full`: after the last payment; `warnedAt`: the lowest mark of which was warned since. */
export type Balance = { readonly balance: number; readonly full: number; readonly warnedAt: number | null }

/** The marks, in percent. */
const marks = [20, 10, 0] as const

/** A smaller rise, in shares of the full balance, is a call that was given back, not a payment. */
const paymentShare = 0.1

/** What is remembered after a reading, and the mark to warn of now; several marks passed at once are one. */
export function readBalance(
  before: Balance | null,
  balance: number,
): { readonly after: Balance; readonly warnAt: number | null } {
  const paid = before === null || (balance > before.balance && balance - before.balance >= paymentShare * before.full)
  const [full, warnedAt] = paid ? [balance, null] : [before.full, before.warnedAt]
  const percent = full <= 0 ? 0 : (100 * Math.max(0, balance)) / full
  const reached = marks.filter((mark) => percent <= mark).at(-1) ?? null
  const warnAt = reached !== null && (warnedAt === null || reached < warnedAt) ? reached : null
  return { after: { balance, full, warnedAt: warnAt ?? warnedAt }, warnAt }
}

/** Days that a balance lasts at the average of the days before; null when nothing was spent. */
export const daysLeft = (balance: number, dollarsADay: number): number | null =>
  dollarsADay > 0 ? Math.floor((10 * Math.max(0, balance)) / dollarsADay) / 10 : null
