/** The public face of filters: the one filter language, in memory and as SQL. */
export { foldCase, matches, rowMatches, type FilterRecord } from './rules/matches.ts'
export { compile, compileForLeads } from './sql.ts'
