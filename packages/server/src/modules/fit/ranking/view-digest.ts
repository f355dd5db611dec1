/** What an agent's people are judged by, as one short text: kept beside each judgement, so that one by anything else is never shown. */
import { createHash } from 'node:crypto'
import type { AgentView } from './people-store.ts'
import { rulesVersion } from '../rules/version.ts'

/** The rules of this program, the parts of the profile that judge, and the sources in their order with the topics they search. */
export function viewDigest({ profile, sources }: AgentView): string {
  const { titles, industries, companySizes, countries, topics } = profile
  const judged = [rulesVersion, titles, industries, companySizes, countries, topics]
  const read = sources.map(({ id, topic }) => [id, topic])
  return createHash('sha256')
    .update(JSON.stringify([judged, read]))
    .digest('base64url')
    .slice(0, 22)
}
