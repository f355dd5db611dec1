import { expect, it } from 'vitest'
import { plainIndexes, unlessThere } from './indexes-ahead.ts'

it('of the statements of a migration, plain indexes are made ahead; unique ones, and what is no index, stay in it', () => {
  const plain = 'create index lead_by_a on lead (team_id, a)'
  expect(
    plainIndexes([
      plain,
      'create unique index lead_by_b on lead (b)',
      'create index concurrently lead_by_c on lead (c)',
      'create table note (id uuid)',
      `comment on table lead is 'create index x on lead (x)'`,
    ]),
  ).toEqual([{ name: 'lead_by_a', table: 'lead', statement: plain }])
  expect(unlessThere(plain, new Set(['lead_by_a']))).toBe('create index if not exists lead_by_a on lead (team_id, a)')
  expect(unlessThere(plain, new Set(['lead_by']))).toBe(plain)
})
