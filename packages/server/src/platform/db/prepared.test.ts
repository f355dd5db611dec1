import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openStatementNames, plannedOnce, plannedWhenOften } from './prepared.ts'

const compiler = new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) })
const once = plannedOnce(sql`select 1`).compile(compiler).sql
const often = plannedWhenOften(sql`select 1`).compile(compiler).sql

describe('names of prepared statements', () => {
  it.each([
    ['marked', 'select 1', null],
    ['marked', once, 1],
    ['marked', often, 5],
    ['repeated', 'select 1', 5],
    ['all', 'select 1', 1],
    ['repeated', `select '${'x'.repeat(20_000)}'`, null],
  ] as const)('in a pool of %s statements %s has one from its nth time on: %s', (names, text, first) => {
    const nameOf = openStatementNames(names)
    const found = Array.from({ length: 7 }, () => nameOf(text))
    expect(found.findIndex((name) => name !== undefined)).toBe(first === null ? -1 : first - 1)
    expect(new Set(found.filter((name) => name !== undefined)).size).toBe(first === null ? 0 : 1)
  })
  it('are at most 400, so that a statement built anew each time fills no connection', () => {
    const nameOf = openStatementNames('repeated')
    const names = new Set<string | undefined>()
    for (let n = 0; n < 600; n++) for (let times = 0; times < 5; times++) names.add(nameOf(`select ${n}`))
    names.delete(undefined)
    expect(names.size).toBe(400)
    expect(nameOf('select 0')).toBeDefined()
    expect(nameOf('select 599')).toBeUndefined()
  })
})
