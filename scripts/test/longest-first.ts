/** The order in which test files run: the longest first, so that no worker is left with a long one when the other has nothing to do. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest: the longest first, and such as wait for processes beside such as compute. Every run prints its
 * slowest files: what moves up there belongs here.
 * Vitest itself knows only sizes of files on a fresh clone, and the longest are not the largest.
 */
const longest = [
  'process/crashes',
  'dashboard/pages',
  'platform/embedded-postgres',
  'process/start',
  'process/several',
  'scenarios/vendor-faults',
  'dashboard/pages-filled',
  'contract/refusals',
  'scenarios/agent-people',
  'dashboard/pages-leads',
  'process/dist',
  'simulation/simulation',
  'scenarios/bad-team',
  'sign-in/device-login',
  'scenarios/push',
  'scenarios/untrack-midway',
  'dashboard/pages-leads-use',
  'mcp/conformance',
  'scenarios/webhooks',
  'scenarios/keyword-run-crash',
  'scenarios/discover-resilience',
  'process/first-hour',
  'dashboard/roles',
  'scenarios/crash-points',
  'scenarios/fairness',
  'dashboard/pages-settings',
  'dashboard/pages-source',
  'scenarios/search-faults',
  'providers/search',
  'scenarios/agent-days',
  'scenarios/outreach-rules',
  'contract/malformed',
  'scenarios/engagement-jobs',
  'dashboard/pages-search',
  'scenarios/keyword-run-breadth',
  'scenarios/leads',
  'dashboard/pages-consent',
  'providers/page-bounds',
]

/** Lower runs earlier; files that are not named come behind all that are. */
function placeOf(file: TestSpecification): number {
  const place = longest.findIndex((name) => file.moduleId.endsWith(`/test/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

/** Vitest's own order with the longest files before all others of their project. */
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
