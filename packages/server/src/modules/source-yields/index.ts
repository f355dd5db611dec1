/** What sources yield: people charged, by how far they have come, kept as sums a day. */
export { sumUpYields } from './jobs.ts'
export { listOwnersToSum, yieldsDue, yieldsSince } from './store.ts'
