/** The privacy desk: who is known, what is held of them, and erasing them for good. */
export { eraseLeads, type ErasedLeads } from './erase-leads.ts'
