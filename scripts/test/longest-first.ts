/** The order in which test files run: the longest first, so that no worker is left with a long one when the other has nothing to do. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest: the longest first, and such as wait for processes beside such as compute. Every run prints its
 * slowest files: what moves up there belongs here.
 * Vitest itself knows only sizes of files on a fresh clone, and the longest are not the largest.
 */
const longest = [
  'process/crashes',
  'contract/refusals',
  'scenarios/vendor-faults',
  'dashboard/pages',
  'platform/embedded-postgres',
  'dashboard/pages-filled',
  'process/several',
  'process/start',
  'scenarios/bad-team',
  'dashboard/pages-leads',
  'scenarios/agent-people',
  'scenarios/agent-days',
  'scenarios/webhooks',
  'sign-in/device-login',
  'process/first-hour',
  'scenarios/keyword-run-crash',
  'process/dist',
  'scenarios/push',
  'dashboard/pages-leads-use',
  'simulation/simulation',
  'scenarios/search-faults',
  'contract/malformed',
  'scenarios/crash-points',
  'scenarios/tracked-posts',
  'scenarios/keyword-run',
  'scenarios/sync-endings',
  'scenarios/untrack-midway',
  'scenarios/sync-untrack',
  'scenarios/outreach-rules',
  'scenarios/enrich-first-sync',
  'delivery/faults',
  'process/database-kills',
  'simulation/planted-bugs',
  'scenarios/fairness',
  'mcp/conformance',
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
