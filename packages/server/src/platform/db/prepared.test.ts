import { describe, expect, it } from 'vitest'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { openGivenNames, openStatementNames, plannedOnce, plannedWhenOften } from './prepared.ts'

describe('names of prepared statements', () => {
  it('go to what is asked for the fifth time, one name for one text', () => {
    const nameOf = openStatementNames()
    const first = Array.from({ length: 6 }, () => nameOf('select 1'))
    expect(first.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined])
    expect(first[4]).toMatch(/^[\w-]{24}$/)
    expect(first[5]).toBe(first[4])
    const second = Array.from({ length: 5 }, () => nameOf('select 2')).at(-1)
    expect(second).toMatch(/^[\w-]{24}$/)
    expect(second).not.toBe(first[4])
  })
  it('are at most 400, so that a statement built anew each time fills no connection', () => {
    const nameOf = openStatementNames()
    const names = new Set<string | undefined>()
    for (let n = 0; n < 600; n++) for (let times = 0; times < 5; times++) names.add(nameOf(`select ${n}`))
    names.delete(undefined)
    expect(names.size).toBe(400)
    expect(nameOf('select 0')).toBeDefined()
    expect(nameOf('select 599')).toBeUndefined()
  })
  it('go to everything at once where the first time is enough', () => {
    const nameOf = openStatementNames({ fromTimes: 1 })
    const first = nameOf('select 1')
    expect(first).toMatch(/^[\w-]{24}$/)
    expect([nameOf('select 1'), nameOf('select 2') === first]).toEqual([first, false])
  })
  it('go to no text above 20,000 characters', () => {
    const nameOf = openStatementNames()
    expect(Array.from({ length: 6 }, () => nameOf(`select '${'x'.repeat(20_000)}'`))).toEqual(Array(6).fill(undefined))
  })
})

describe('names that code asks for', () => {
  const compiler = new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) })
  const textOf = (n: number) => plannedOnce(sql`select ${n}, ${sql.lit(n)}`).compile(compiler).sql

  it('are there from the first time on, one for one text; nothing else has one', () => {
    const nameOf = openGivenNames()
    const first = nameOf(textOf(1))
    expect(first).toMatch(/^[\w-]{24}$/)
    expect(nameOf(textOf(1))).toBe(first)
    expect(nameOf(textOf(2))).not.toBe(first)
    expect(Array.from({ length: 6 }, () => nameOf('select 1'))).toEqual(Array(6).fill(undefined))
  })
  it('are at most 400', () => {
    const nameOf = openGivenNames()
    const names = new Set(Array.from({ length: 500 }, (_, n) => nameOf(textOf(n))))
    names.delete(undefined)
    expect(names.size).toBe(400)
  })
  it('of texts that callers write a part of are there from the fifth time on, at most 100, and take none from others', () => {
    const nameOf = openGivenNames()
    const written = (n: number) => plannedWhenOften(sql`select ${n}, ${sql.lit(n)}`).compile(compiler).sql
    const often = (n: number) => Array.from({ length: 6 }, () => nameOf(written(n)))
    const first = often(0)
    expect(first.slice(0, 4)).toEqual(Array(4).fill(undefined))
    expect(first[4]).toMatch(/^[\w-]{24}$/)
    expect(first[5]).toBe(first[4])
    const names = new Set(Array.from({ length: 150 }, (_, n) => often(n).at(-1)))
    names.delete(undefined)
    expect(names.size).toBe(100)
    expect(nameOf(textOf(1))).toBeDefined()
  })
})
