/** What the dashboard shows beyond the interface: reads that join across modules. Never writes. */
export { leadDetailOperations } from './lead-detail.ts'
export { deliveryLogOperations } from './deliveries.ts'
export { outreachResultOperations } from './outreach.ts'
export { creditDashboardOperations } from './credits.ts'
export { sourceHealthOperations, type NetworkTrouble } from './source-health.ts'
export { quoteOperations } from './quotes.ts'
export { readChangeMarks } from './changes-store.ts'
export { topicsBetween, type ChangeMarks, type Topic } from './rules/changes.ts'
