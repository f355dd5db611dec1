/** What a send adds up to (OUT-10, OUT-24; G106). */

/** The counts of a send. */
export type SendCounts = {
  readonly sent: number
  readonly added: number
  readonly updated: number
  readonly failed: number
  readonly skippedNoLinkedin: number
  readonly alreadyInCampaign: number
  readonly uncertain: number
  readonly skippedExcluded: number
  readonly notFound: number
  readonly recorded: number
}

/** Nothing sent yet. */
export const noCounts: SendCounts = {
  sent: 0,
  added: 0,
  updated: 0,
  failed: 0,
  skippedNoLinkedin: 0,
  alreadyInCampaign: 0,
  uncertain: 0,
  skippedExcluded: 0,
  notFound: 0,
  recorded: 0,
}

/** Adds some counts to others. */
export function plus(counts: SendCounts, more: Partial<SendCounts>): SendCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count + (more[name as keyof SendCounts] ?? 0)]),
  ) as SendCounts
}

/** Counts of one batch that the platform has answered; who failed is not told, so all are noted as sent unless nobody was taken. */
export function ofAnswer(answer: {
  readonly added: number
  readonly updated: number
  readonly failed: number
}): Partial<SendCounts> {
  const { added, updated, failed } = answer
  const sent = added + updated + failed
  return { sent, added, updated, failed, recorded: added + updated === 0 ? 0 : sent }
}
