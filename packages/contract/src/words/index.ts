/** Wording for everything that people read: pages, mails, the command line. No schemas, so that browsers can load it. */
export * from './exclusions.ts'
export * from './ledger.ts'
export * from './numbers.ts'
export * from './runs.ts'
export * from './states.ts'
export * from './work.ts'
