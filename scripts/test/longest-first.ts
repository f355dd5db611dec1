/** The order in which test files run: the longest first, so that no worker is left with a long one when the other has nothing to do. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longer than twenty seconds: the longest first, and one that waits for processes beside one that
 * computes. Every run prints its slowest files: what moves up there belongs here.
 * Vitest itself knows only sizes of files on a fresh clone, and the longest are not the largest.
 */
const longest = [
  'process/crashes',
  'scenarios/fairness',
  'process/database-kills',
  'scenarios/vendor-faults',
  'simulation/planted-bugs',
  'process/start',
  'contract/refusals',
  'process/first-hour',
  'scenarios/tracked-posts',
  'sign-in/device-login',
  'scenarios/push',
  'process/several',
  'dashboard/pages-filled',
  'platform/embedded-postgres',
  'scenarios/sync-untrack',
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
