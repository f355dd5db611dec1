/** What the dashboard's own operations accept: at and around each bound, written by hand. */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { sessionRegistry } from '../src/index.ts'
import { refusals, taken } from './refusals.ts'

function of(id: string): { readonly query: z.ZodType; readonly body: z.ZodType } {
  const { query, body } = sessionRegistry.find((operation) => operation.id === id)!
  return { query, body: body! }
}
const guid = (n: number) => `01a20b5a-74be-7fd5-a689-${String(n).padStart(12, '0')}`
const text = (length: number) => 'x'.repeat(length)

describe('lists of the dashboard', () => {
  const { query } = of('listDeliveries')

  it('take 1 to 200 rows a page, 50 unless told', () => {
    expect(taken(query, (limit) => ({ limit }), ['0', '1', '50', '200', '201', '1000', '-1', '1.5', 'x', ''])).toEqual([
      '1',
      '50',
      '200',
    ])
    expect(query.parse({})).toMatchObject({ limit: 50 })
    expect(refusals(query, { limit: '201' })).toEqual(['limit: must be a whole number from 1 to 200'])
  })

  it('take ids of leads with commas, each of them an id', () => {
    const three = [1, 2, 3].map(guid)
    expect(refusals(query, { leadIds: three.join(',') })).toEqual([])
    const message = ['leadIds: must be up to 20 ids of leads, with commas']
    expect(refusals(query, { leadIds: `${three.join(',')},no` })).toEqual(message)
    expect(refusals(query, { leadIds: three.join(' ') })).toEqual(message)
    expect(refusals(query, { leadIds: '' })).toEqual(message)
  })
})

describe('a view that is saved', () => {
  const { body } = of('saveView')
  const view = (fields: object) => ({ page: 'leads', name: 'Mine', query: {}, ...fields })

  it('has a name of 1 to 80 characters, without spaces around it', () => {
    expect(taken(body, (length) => view({ name: text(length) }), [0, 1, 80, 81])).toEqual([1, 80])
    expect(body.parse(view({ name: `  ${text(80)}  ` }))).toMatchObject({ name: text(80) })
    expect(refusals(body, view({ name: '   ' }))).toEqual(['name: must be a name: text of 1 to 80 characters'])
  })

  it('has at most 4,000 characters of filters', () => {
    const filters = (length: number) => ({
      query: { ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}`, text(480)])), last: text(length) },
    })
    const rest = 4_000 - JSON.stringify(filters(0).query).length
    expect(taken(body, (length) => view(filters(length)), [rest - 1, rest, rest + 1])).toEqual([rest - 1, rest])
    expect(refusals(body, view(filters(rest + 1)))).toEqual(['query: must be at most 4,000 characters as JSON'])
  })
})

describe('teams and members', () => {
  it('an address is kept in small letters', () => {
    expect(of('inviteMember').body.parse({ email: 'Ann@Example.COM', role: 'viewer' })).toEqual({
      email: 'ann@example.com',
      role: 'viewer',
    })
  })
})
