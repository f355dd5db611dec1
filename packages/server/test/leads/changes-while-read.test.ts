/** A page of people takes several statements; a change between two of them does not end a list early. */
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { leadOperations } from '../../src/modules/leads/operations.ts'
import { openStage, type Stage } from '../delivery/stage.ts'
import { recountLeads } from '../world/lists.ts'

let stage: Stage
let sources: string[]
beforeAll(async () => {
  stage = await openStage()
  sources = [await stage.makeSource('shown'), await stage.makeSource('untracked-meanwhile')]
})
beforeEach(async () => {
  await sql`delete from lead`.execute(stage.db)
  await sql`update source set status = 'active'`.execute(stage.db)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, enrichment, webhook_status, created_at)
    select ${stage.teamId}, gen_random_uuid(), (${sources}::uuid[])[o], (${sources}::uuid[])[o], 'profile',
      'P' || n % 9, 'reaction:' || n, 'Like', 'https://www.linkedin.com/in/' || n, 'completed', 'pending',
      ${stage.state.now}::timestamptz - (n || ' seconds')::interval
    from generate_series(0, 10) n cross join lateral (select 1 + n % 2 as o) each`.execute(stage.db)
  await recountLeads(stage.db, stage.teamId)
})
afterAll(() => stage.close())

/** Reads as the service does; after the first result for which `looksSo` is true, it runs `act`. */
function meanwhile(looksSo: (row: Record<string, unknown>) => boolean, act: () => Promise<unknown>): Kysely<never> {
  let happened = false
  return stage.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const [first] = result.rows as Record<string, unknown>[]
      if (!happened && first && looksSo(first)) {
        happened = true
        await act()
      }
      return result
    },
  }) as unknown as Kysely<never>
}

describe('a page of people', () => {
  it('says that there are more when somebody on it has gone before they were read [G37, LED-24]', async () => {
    const { listEngagers } = leadOperations
    const sent = () => sql`update lead set webhook_status = 'sent' where person_urn = 'P1'`.execute(stage.db)
    const db = meanwhile((row) => 'scanned' in row, sent)
    const page = await listEngagers({ webhookStatus: 'pending', limit: 3, offset: 0 } as never, {
      ...stage.context(stage.teamId),
      db: db as never,
    })
    // As many as there were in the first statement.
    expect(page).toMatchObject({ hasMore: true, total: 9 })
    expect(page.engagers).toHaveLength(3)
  })
})
