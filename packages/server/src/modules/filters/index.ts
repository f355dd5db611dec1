/** The public face of filters: the one filter language, in memory and as SQL. */
export { matches, rowMatches, type FilterRecord } from './rules/matches.ts'
export { compile, compileForLeads, foldedColumns } from './sql.ts'
