/** Who was sent to which campaign is kept for ever, with the batch it went in: it is why nobody is sent twice. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/** Those of these people who were sent to some campaign. */
export async function listSentPeople(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    urn: string
  }>`select distinct person_urn as urn from outreach_send
    where team_id = ${teamId} and person_urn = any(${[...urns]}::text[])`.execute(db)
  return new Set(rows.map((row) => row.urn))
}
