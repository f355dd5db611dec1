import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest test files, slowest first; files that wait for processes alternate with files that compute. Every run prints its
 * slowest files: add new ones here. On a fresh clone vitest knows only file sizes, which do not predict duration.
 */
const longest = [
  'process/crashes',
  'dashboard/pages-filled',
  'process/database-kills',
  'destinations/every-kind',
  'contract/refusals',
  'process/several',
  'process/start',
  'dashboard/pages',
  'dashboard/pages-trust',
  'platform/embedded-postgres',
  'process/dist',
  'process/npm-start',
  'mcp/conformance',
  'scenarios/agent-trial',
  'scenarios/vendor-faults',
  'scenarios/bad-team',
  'dashboard/pages-leads',
  'dashboard/settings',
  'dashboard/pages-destinations',
  'simulation/simulation',
  'trust/erasure',
  'shards/shards',
  'process/first-hour',
  'dashboard/pages-leads-use',
  'dashboard/pages-source',
  'scenarios/lead-texts',
  'scenarios/engagement-jobs',
  'dashboard/pages-people',
  'sign-in/tools',
  'providers/page-bounds',
  'destinations/main-job',
  'edge/server',
  'scenarios/search-faults',
  'dashboard/pages-search',
  'dashboard/pages-settings',
  'trust/privacy-desk',
  'scenarios/untrack-midway',
  'dashboard/pages-consent',
  'dashboard/pages-sources',
  'trust/sources',
  'trust/ledger-lines',
  'scenarios/leads',
  'scenarios/shutdown',
  'scenarios/webhooks',
  'scenarios/agent-days',
  'contract/malformed',
  'dashboard/roles',
  'mcp/parity',
  'scenarios/crash-points',
  'scenarios/push',
  'scenarios/keyword-run-crash',
  'scenarios/discover-resilience',
]

function placeOf(file: TestSpecification): number {
  const place = longest.findIndex((name) => file.moduleId.endsWith(`/test/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

/** Vitest's order, with the longest files first in their project, so that no worker ends on a long file alone. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const places = new Map(sorted.map((file, at) => [file, at]))
    return sorted.toSorted((one, other) => {
      if (one.project.name !== other.project.name) return places.get(one)! - places.get(other)!
      return placeOf(one) - placeOf(other) || places.get(one)! - places.get(other)!
    })
  }
}
