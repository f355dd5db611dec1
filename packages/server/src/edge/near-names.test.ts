import { registry, sessionRegistry } from '@les/contract'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../platform/refusal.ts'
import { validateInput } from './input.ts'
import { findNearName } from './near-names.ts'

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
    // What it was called before counts as known.
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
    // Strict objects refuse by themselves, free ones hold names of the caller's own.
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
