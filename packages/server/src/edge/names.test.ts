import { operationsById, registry, sessionRegistry } from '@les/contract'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../platform/refusal.ts'
import { validateInput } from './input.ts'
import { nearestName } from '../platform/field-names.ts'
import { findNearName, ignoredParameters } from './names.ts'

const refusalOf = (operation: (typeof registry)[number], body: Record<string, unknown>): string | null => {
  try {
    validateInput(operation, { params: {}, query: [], body })
    return null
  } catch (error) {
    return error instanceof Refusal ? `${error.key}: ${error.message}` : String(error)
  }
}

const bodies = [...registry, ...sessionRegistry].flatMap((operation) =>
  operation.body instanceof z.ZodObject
    ? Object.keys(operation.body.shape).map((field) => [operation.id, field, operation] as const)
    : [],
)

describe('a property that misses a known one by case, _ and - alone [FIX-07, G156]', () => {
  it.each(bodies)('is refused by name in the body of %s: %s', (_, field, operation) => {
    const snake = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    for (const name of new Set([snake, snake.replaceAll('_', '-'), field.toUpperCase(), `_${field}`])) {
      if (name === field || Object.hasOwn(operation.refusedFields, name)) continue
      expect(refusalOf(operation as (typeof registry)[number], { [name]: 1 })).toMatch(/^unknown_field: /)
      expect(refusalOf(operation as (typeof registry)[number], { [name]: 1 })).toContain(`\`${field}\``)
    }
  })

  const byId = (id: string) => registry.find((operation) => operation.id === id)!
  test.each([
    ['updateProfileWebhook', { webhookURL: 'x' }, '`webhookURL`: send `webhookUrl`'],
    ['enrichProfile', { username: 'a', credit_cap_per_sync: 1 }, '`credit_cap_per_sync`: send `creditCapPerSync`'],
    // Earlier names count as known.
    ['enrichProfile', { username: 'a', credit_cap: 1 }, '`credit_cap`: send `creditCapPerSync`'],
    ['updateSourceIcp', { rules: [{ column: 'a', Operator: 'x' }] }, '`rules[0].Operator`: send `operator`'],
    ['updateSourceOutreach', { filters: [{}, { Column: 'a' }] }, '`filters[1].Column`: send `column`'],
    ['sendLeads', { people: [{ profileUrl: 'a', job_title: 'b' }] }, '`people[0].job_title`: send `jobTitle`'],
  ])('of %s with %j says where and what to send', (id, body, message) => {
    expect(refusalOf(byId(id), body)).toContain(message)
  })

  it.each([
    [{ web_hook: 1, webhookUrls: 2, url: 3, __proto__: null }, null],
    [{ 'Web-Hook_URL': 1 }, { path: ['Web-Hook_URL'], meant: 'webhookUrl' }],
    [
      { webhookUrl: 'x', webhookURL: 'x' },
      { path: ['webhookURL'], meant: 'webhookUrl' },
    ],
    [{ rows: [{ someName: 1 }, { some_name: 2 }] }, { path: ['rows', 1, 'some_name'], meant: 'someName' }],
    // Strict objects refuse by themselves; free objects hold the caller's own names.
    [{ strict: { some_name: 1 }, free: { SomeName: 1, someName: 2 } }, null],
    [{ either: { other_name: 1 } }, { path: ['either', 'other_name'], meant: 'otherName' }],
    [{ rows: 'text', either: null }, null],
  ])('%j comes to %j, and other unknown properties stay ignored', (body, found) => {
    const named = z.object({ someName: z.number() })
    const schema = z
      .object({
        webhookUrl: z.string().optional(),
        rows: z.array(named).default([]),
        strict: z.strictObject({ someName: z.number() }).optional(),
        free: z.record(z.string(), z.number()).optional(),
        either: z.union([named, z.object({ otherName: z.number() }), z.null()]).optional(),
      })
      .transform((all) => all)
    expect(findNearName([schema], body)).toEqual(found)
  })
})

const { listLeads, enrichProfile, listAgentLeads, trackKeyword, getCredits } = operationsById
const query = (...names: string[]) => ({ params: {}, query: names.map((name) => [name, '1'] as const), body: {} })
const body = (fields: Record<string, unknown>) => ({ params: {}, query: [], body: fields })

describe('the nearest name', () => {
  it.each([
    ['limt', 'limit'],
    ['Limit', 'limit'],
    ['lmiit', 'limit'],
    ['is_icp', 'isIcp'],
    ['off', undefined],
    ['utm_source', undefined],
    ['', undefined],
    ['x'.repeat(5_000), undefined],
  ])('of %s is %s', (asked, nearest) => expect(nearestName(asked, ['limit', 'offset', 'isIcp'])).toBe(nearest))
})

describe('X-Ignored-Parameters', () => {
  it('names every query parameter that the operation does not know', () => {
    expect(ignoredParameters(listLeads, query('limt', 'limit', 'utm_source'))).toBe(
      'limt;did-you-mean=limit, utm_source',
    )
    expect(ignoredParameters(getCredits, query('a'))).toBe('a')
  })
  it('names body fields only where they nearly are one that is known', () => {
    expect(ignoredParameters(enrichProfile, body({ username: 'a', saveTrackedprofile: true, companyNote: 'x' }))).toBe(
      'saveTrackedprofile;did-you-mean=saveTrackedProfile',
    )
    expect(ignoredParameters(trackKeyword, body({ keywrods: ['a'], credit_cap: 3 }))).toBe(
      'keywrods;did-you-mean=keywords, credit_cap;did-you-mean=creditCap',
    )
  })
  it('is not there when everything was read', () => {
    expect(ignoredParameters(listLeads, query('limit', 'offset'))).toBeNull()
    expect(ignoredParameters(listAgentLeads, query('agentId'))).toBeNull()
    expect(ignoredParameters(enrichProfile, body({ username: 'a', saveTrackedProfile: true }))).toBeNull()
  })
  it('holds only plain names, and ten of them at most', () => {
    expect(ignoredParameters(listLeads, query('a\r\nx: y', 'b;c', 'ü', 'x'.repeat(61)))).toBeNull()
    const many = ignoredParameters(listLeads, query(...Array.from({ length: 40 }, (_, at) => `name${at}`)))!
    expect(many.split(', ')).toHaveLength(10)
  })
})
