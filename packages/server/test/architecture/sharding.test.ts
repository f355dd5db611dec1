import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, keysWithoutTeam, readTables, saysWhichTeam, sharedTables, tablesNamed } from './sharding.ts'

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

  test('the short lists name nothing that is gone, or that holds the team by now', () => {
    const byName = new Map(tables.map((table) => [table.name, table]))
    expect(Object.keys(sharedTables).filter((name) => name !== 'team' && byName.get(name)?.hasTeam !== false)).toEqual(
      [],
    )
    const keys = new Set(tables.flatMap((table) => table.keys.map(({ name }) => name)))
    expect(Object.keys(keysWithoutTeam).filter((name) => !keys.has(name))).toEqual([])
  })

  test.each([
    [
      'a key without the team',
      'create table thing (\n  team_id uuid not null,\n  id uuid primary key\n)',
      'thing_pkey of thing holds no team_id',
    ],
    [
      'a unique index without it',
      'create table thing (\n' +
        '  team_id uuid not null,\n' +
        '  id uuid,\n' +
        '  primary key (team_id, id)\n' +
        ');\n\n' +
        'create unique index thing_once on thing (id)',
      'thing_once of thing holds no team_id',
    ],
    [
      'a table of nobody',
      'create table thing (\n  id uuid primary key\n)',
      'thing has no team_id and is not among the shared tables',
    ],
    [
      'a reference out of the team',
      'create table thing (\n  team_id uuid not null,\n  id uuid,\n  lead_id uuid references lead,\n  primary key (team_id, id)\n)',
      'thing refers to lead without the team',
    ],
  ])('%s is noticed', (_, made, fault) => {
    expect(faultsOf(readTables(`${made};\n`))).toEqual([fault])
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
