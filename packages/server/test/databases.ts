/** Scenarios with rules outside the database: their statements were recorded file by file and compared. */
const asked =
  'every statement of the service in them is asked on both databases by other files: what was asked was recorded and compared'

/**
 * A build's first pass runs on the embedded PostgreSQL 18, the second on the machine's PostgreSQL over three shards
 * (docs/scaling.md). The files listed here do not depend on the database: they run in the first pass only, over three shards. A
 * new file runs in both.
 */
export const inFirstPassAlone: Readonly<Record<string, string>> = {
  'config/{settings,vendors}': 'settings, read before there is a database',
  'contract/{long-texts,malformed,refusals}': 'what is refused, most of it before anything is looked up',
  'dashboard/{pages*,pictures,build,snippets,session-windows}':
    'what a browser makes of answers; the answers themselves are in both',
  'dashboard/record-sample-team': 'a tool that records rows',
  'edge/{bounds,server,well-known}': 'HTTP, with handlers that are stubs',
  'egress/**': 'ways out, without a database',
  'examples/**': 'documents run as they stand',
  'fit/one-fold': 'asks which characters the database knows, which PostgreSQL 15 does not tell',
  'mcp/{address,conformance,parity,stdio,streams,tools}':
    'operations that are in both, asked through tools; `mcp/spend` is in both',
  'observability/{logs,tracing,metrics-server}': 'what is written about calls',
  'platform/embedded-postgres': 'the embedded server itself',
  'platforms/**': 'apps for platforms of others, called without a service',
  'process/{database-kills,dist,first-hour,npm-start,start}':
    'how a program is built and started, and works when its database dies, on an embedded database of its own',
  'providers/**/!(budget|team-budget)': 'vendors, without a database',
  'scenarios/{agent-{days,moved-on,once,own-sources,people,shared,webhook},billing-people,cap-units,own-posts}': asked,
  'scenarios/{company-names,crash-points,discover-resilience,first-sync-balance,held-identifiers}': asked,
  'scenarios/{keyword-{deleted,run-capture,run-crash,run-money,run-schedule},outreach-{lost,moves},shutdown}': asked,
  'scenarios/{time-{deliveries,runs},tracked-posts,untrack-{answers,revival},untracked-deliveries}': asked,
  'scenarios/{vendor-{faults,outage},{edit,enrich,keyword}-bounds}': asked,
  'shards/**': 'shards, as many as each test says',
  'sign-in/{authorization,device,device-login,http,limits,mail-tls,purge,reset,sign-up,tools,trouble}':
    'the sign-in library, which knows no teams',
  'strangers/**': 'libraries of others',
  'vendors/**': 'tools for vendors',
}
