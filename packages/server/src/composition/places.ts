/** Where the files lie that the service serves: beside the bundle in a built tree, in their packages in a checkout. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The first that is there; without any, the last, which whoever needs it then names. */
const firstThere = (...paths: readonly string[]): string => paths.find((path) => existsSync(path)) ?? paths.at(-1)!

/** The built pages of the dashboard. */
export const pagesFolder: string = firstThere(beside('../dashboard'), beside('../../../dashboard/dist'))

/** The rows of the sample team (decision 0020). */
export const sampleTeamFile: string = firstThere(
  beside('../sample-team/rows.jsonl'),
  beside('../../sample-team/rows.jsonl'),
)

/** What callers may install without a registry: archives of the clients and their checksums. */
export const downloadsFolder: string = firstThere(beside('../downloads'), beside('../../../../dist/downloads'))
