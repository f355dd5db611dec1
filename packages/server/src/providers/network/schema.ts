/** The tables that `providers/network` writes, as types. */

/** Row of `vendor_day`. */
export type VendorDayTable = { team_id: string; day: string; calls: number }

declare module '../../platform/db/schema.ts' {
  interface Tables {
    vendor_day: VendorDayTable
  }
}
