/**
 * What a database can change, and so runs on each that we support: the whole suite runs on the embedded PostgreSQL 18, these files
 * once more on the PostgreSQL of the machine. Everything else speaks to the database through the same statements, which these prove.
 * Here statements are planned for their values, as in a service, where the whole suite plans each once (decision 0025).
 */
export const onEveryDatabase: Readonly<Record<string, string>> = {
  schema: 'migrations lay out the same tables, keys and checks',
  'fit/filter-language': 'filters become SQL: types, collation, comparison',
  'fit/rescore': 'set-based updates under leases',
  'delivery/faults': 'SKIP LOCKED, fences and duplicates under failure',
  'delivery/push-in-flight': 'locks between a push and a delivery',
  'edge/admission': 'rate windows counted by one statement under contention',
  'edge/database-trouble': 'how this server and its driver tell of trouble',
  'edge/failures': 'which error of the database becomes which answer',
  'edge/idempotency': 'unique keys that decide races',
  'observability/metrics': 'figures read from the database',
  'process/backup':
    'pg_dump and pg_restore, which read this server alone where they are not as new as the embedded one',
  'process/crashes': 'what a killed process leaves to be rolled back',
  'process/several': 'advisory locks, notifications and rate windows between processes',
  'process/rewrap': 'secrets rewritten in one transaction',
  'providers/budget': 'calls in flight counted over processes',
  'scenarios/crash-points': 'rolled back units of work',
  'scenarios/credits': 'charges that come at once',
  'scenarios/database-trouble': 'locks, ended connections and a full disk',
  'scenarios/engagers': 'aggregates and their order',
  'scenarios/keyword-run-money': 'a ceiling kept by the database across runs',
  'scenarios/lead-texts': 'substrings found through trigrams',
  'scenarios/leads': 'filters, order and pages of the largest list',
  'scenarios/main-job': 'the whole way of a lead',
  'scenarios/renewal': 'periods and time zones',
  'scenarios/usage': 'days, grouped in SQL',
  'sign-in/schema': 'the tables of the sign-in library',
  'sign-in/session': 'the sign-in library on this database',
  'simulation/simulation': 'seeded histories with crashes and races',
}
