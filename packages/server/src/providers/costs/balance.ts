/** Decides when to warn the operator about a falling vendor balance: at 20, 10 and 0 % of the balance after the last payment. */

/** The stored state of a balance; `full`: after the last payment; `warnedAt`: the lowest mark warned of since then. */
export type Balance = { readonly balance: number; readonly full: number; readonly warnedAt: number | null }

const marks = [20, 10, 0] as const

/** A smaller rise, as a share of `full`, is a refunded call and not a payment. */
const paymentShare = 0.1

/** The state after a reading, and the mark to warn of; several marks passed at once give one warning. */
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

/** Days the balance lasts at `dollarsADay`; null when nothing is spent. */
export const daysLeft = (balance: number, dollarsADay: number): number | null =>
  dollarsADay > 0 ? Math.floor((10 * Math.max(0, balance)) / dollarsADay) / 10 : null
