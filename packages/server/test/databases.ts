/**
 * The first pass of a build runs everything on the embedded PostgreSQL 18 and one schema; the second runs it again on the PostgreSQL of the
 * machine, with teams spread over three shards (docs/scaling.md). What neither a database nor shards can change, or what asks the
 * database nothing that other files of its kind do not, is listed here and in the first pass alone; a new file is in both.
 */
export const inFirstPassAlone: Readonly<Record<string, string>> = {
  'config/{settings,vendors}': 'settings, read before there is a database',
  'contract/{long-texts,malformed,refusals}': 'what is refused, most of it before anything is looked up',
  'dashboard/{pages*,pictures,build,snippets,session-windows}':
    'what a browser makes of answers; the answers themselves are in both',
  'dashboard/{deliveries,events,export,export-many,lead-detail,outreach-results,roles,sends,source-health,try-out,views}':
    'operations that are in both, asked through a session; `dashboard/{credits,lists,operators,requests,settings}` are in both',
  'dashboard/record-sample-team': 'a tool that records rows of one schema',
  'destinations/every-kind': 'what vendors are sent, kind by kind; `destinations/main-job` is in both',
  'edge/{bounds,fuzz,server,well-known}': 'HTTP, with handlers that are stubs',
  'egress/**': 'ways out, without a database',
  'examples/**': 'documents run as they stand',
  'fit/ranking': 'how people are weighed; `fit/rescore` is in both',
  'fit/one-fold': 'asks which characters the database knows, which PostgreSQL 15 does not tell',
  'mcp/{address,conformance,parity,stdio,streams,tools}':
    'operations that are in both, asked through tools; `mcp/spend` is in both',
  'observability/{logs,tracing,metrics-server}': 'what is written about calls',
  'platform/{embedded-postgres,healing}': 'the embedded server itself',
  'platforms/**': 'apps for platforms of others, called without a service',
  'process/{dist,first-hour,npm-start,start}': 'how a program is built and started, on an embedded database',
  'providers/**/!(budget|team-budget)': 'vendors, without a database',
  'process/database-kills':
    'a database that dies under the service; `process/crashes` and `process/several` are in both',
  'scenarios/bad-team': 'work that fails for one team alone, for minutes; `scenarios/fairness` is in both',
  'scenarios/{engagers,lead-texts}': 'filters and pages of lists; `scenarios/leads` is in both',
  'scenarios/*-bounds': 'limits of what is asked for',
  'scenarios/{company-names,countries,discover-countries,headline-is-no-title,held-identifiers,member-ids,near-names}':
    'how names and words are read',
  'scenarios/{operators-as-words,source-labels,unusual-names,vendor-words}': 'how names and words are read',
  'scenarios/{cap-units,config-file,edit-settings,enrich-urn,icp,spend-gate}': 'how settings are read',
  'scenarios/{charged-retries,discover-resilience,search-faults,vendor-costs,vendor-faults,vendor-outage}':
    'what vendors do wrong; the work that it ends is in both',
  'scenarios/agent-{days,newest,people,profile}': 'what an agent decides; other files of agents are in both',
  'scenarios/keyword-{edit,estimate,families,signs,versions}': 'what a search is; its runs are in both',
  'scenarios/keyword-run-{ai,breadth,capture,schedule,targeting}':
    'what a run finds; `keyword-run`, its money and its crashes are in both',
  'scenarios/outreach-{connection,moves,rules}': 'what a rule decides; what is sent is in both',
  'shards/**': 'three shards in either pass',
  'sign-in/{authorization,device,http,limits,mail-tls,purge,reset,sign-up,tools,trouble}':
    'the sign-in library, which knows no teams',
  'simulation/planted-bugs': 'that the simulation finds bugs',
  'strangers/**': 'libraries of others',
  'vendors/**': 'tools for vendors',
}
