/** Which leads a profile enrichment on request charges for (G141). */

/**
 * True of a lead that its own enrichment has given up on: filling it is work of its own, one credit. A lead that still waits, or is
 * being worked on, was paid for when it was captured, and an enriched one is only refreshed: both owe nothing.
 */
export const owesCredit = (state: string): boolean => state === 'failed' || state === 'skipped'
