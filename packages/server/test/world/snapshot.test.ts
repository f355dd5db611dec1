/** Two snapshots are equal when, and only when, every table holds the same: what is refused is judged by them. */
import { expect, it } from 'vitest'
import { snapshot } from './snapshot.ts'
import { useWorld } from './world.ts'

const world = useWorld({ config: { roles: ['http'] } })

it('tells what was added, changed or taken away, names its table, and sees that it is as it was again', async () => {
  const look = () => snapshot(world.database.pool)
  const empty = await look()
  expect(empty).toMatchObject({ team: '0 rows, empty', lead: '0 rows, empty' })
  const team = await world.team()
  const made = await look()
  const changedSince = (before: Record<string, string>, after: Record<string, string>) =>
    Object.keys(after).filter((table) => before[table] !== after[table])
  expect(changedSince(empty, made)).toEqual(expect.arrayContaining(['team', 'api_key', 'credit_account']))
  expect(await look()).toEqual(made)

  const rename = (name: string) => world.database.pool.query('update team set name = $2 where id = $1', [team.id, name])
  const { rows } = await world.database.pool.query('select name from team where id = $1', [team.id])
  await rename('Another')
  expect(changedSince(made, await look())).toEqual(['team'])
  await rename(rows[0].name)
  expect(await look()).toEqual(made)

  // When a key was last used is a note, not state.
  await team.get('/credits')
  expect(await look()).toEqual(made)

  // One row for another: the count alone would not tell.
  const take = (text: string) => world.database.pool.query(text)
  await take(`insert into write_off (team_id, source_id) values ('${team.id}', '${team.id}')`)
  const one = await look()
  expect(changedSince(made, one)).toEqual(['write_off'])
  await take(
    `with gone as (delete from write_off) insert into write_off (team_id, source_id) values ('${team.id}', gen_random_uuid())`,
  )
  expect(changedSince(one, await look())).toEqual(['write_off'])
  await take('delete from write_off')
  expect(await look()).toEqual(made)
  expect(await snapshot(world.database.pool, ['team'])).not.toHaveProperty('team')
})
