import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, readTables, saysWhichTeam, tablesNamed } from './sharding.ts'

const schema = readFileSync(join(import.meta.dirname, '../../../../docs/generated/schema.sql'), 'utf8')
const tables = readTables(schema)

describe('a database that is sharded by team', () => {
  test('could hold every table: its keys and references hold the team, or the table is shared', () => {
    expect(tables.length).toBeGreaterThan(60)
    expect(tables.filter(({ keys }) => keys.length === 0).map(({ name }) => name)).toEqual([])
    expect(faultsOf(tables)).toEqual([])
  })

  test('holds rows of leads and charges to their team by a foreign key', () => {
    const rows = tables.filter(({ name }) => ['lead', 'person', 'enrichment_task', 'credit_entry'].includes(name))
    expect(rows.map(({ references }) => references.some(({ table }) => table === 'team'))).toEqual(
      Array.from({ length: 4 }, () => true),
    )
  })
})

describe('a statement', () => {
  test.each([
    ['select * from lead where id = $1', false],
    ['select * from "lead" where "team_id" = $1 and "id" = $2', true],
    ['update lead set name = $1 from unnest($2::uuid[]) as named (id) where lead.id = named.id', false],
    [
      'select w.url from unnest($1::uuid[], $2::uuid[]) as e (team_id, owner_id) join webhook w on w.team_id = e.team_id',
      true,
    ],
    ['insert into lead (team_id, id) values ($1, $2)', true],
    ['select count(*) from delivery d join source s on s.team_id = d.team_id', false],
  ])('that asks `%s` says which team it is about: %s', (statement, says) => {
    expect(tablesNamed(statement, new Set(['lead', 'webhook', 'delivery', 'source'])).length).toBeGreaterThan(0)
    expect(saysWhichTeam(statement)).toBe(says)
  })
})
