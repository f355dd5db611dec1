/**
 * The tables of this module, `source_yield` and `source_yield_due`, are written by SQL alone, the second by triggers as well
 * (migration 0057): the query builder touches neither.
 */

/** How many people of a source, charged on one UTC day, have come how far; and the credits of that day. */
export type YieldOfDay = {
  readonly charged: number
  readonly enriched: number
  readonly icp: number
  readonly delivered: number
  readonly sent: number
  readonly credits: number
}
