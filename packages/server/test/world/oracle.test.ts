/** The oracle is not blind: rows that break a rule are found, by the rule that they break. */
import { sql, type Transaction } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/db/schema.ts'
import { likes, people, sweep } from '../scenarios/sync-stage.ts'
import { findDrift } from './oracle.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const undone = new Error('undone')

/** What the oracle says of a change, which is undone. */
async function saidOf(change: (tx: Transaction<Database>) => Promise<unknown>): Promise<string[]> {
  let said: string[] = []
  await world.database.bare
    .transaction()
    .execute(async (tx) => {
      await change(tx)
      said = await findDrift(tx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return said.map((line) => line.slice(0, line.indexOf(':')))
}

const paidFor = 'every person charged for a source has a lead of it'

describe('the oracle', () => {
  beforeAll(async () => {
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)), comments: [] })
    await sweep(world, await world.team(), author)
    await world.advance('10m')
  })

  it('finds a person who was paid for and is not there, unless the source is written down as gone', async () => {
    const lose = (tx: Transaction<Database>) =>
      sql`update lead set person_urn = 'another' where id = (select max(id::text)::uuid from lead)`.execute(tx)
    expect(await saidOf(lose)).toContain(paidFor)
    const gone = async (tx: Transaction<Database>) => {
      await lose(tx)
      await sql`insert into lead_gone (team_id, owner_id, key_hash)
        select team_id, source_id, ''::bytea from lead limit 1`.execute(tx)
    }
    expect(await saidOf(gone)).not.toContain(paidFor)
  })
})
