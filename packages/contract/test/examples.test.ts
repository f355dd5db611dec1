/** The committed examples are valid: requests are accepted, and answers and refusals are exactly what the contract promises. */
import { describe, expect, it } from 'vitest'
import {
  errorTable,
  jobResults,
  operationsById,
  recordedExamples,
  registry,
  type ErrorKey,
  type JobType,
  type Operation,
} from '../src/index.ts'

const { operations, refusals, own, jobs } = recordedExamples

describe('examples', () => {
  it('are there for every operation', () =>
    expect(Object.keys(operations).sort()).toEqual(registry.map(({ id }) => id).sort()))

  it.each(Object.entries(operations))('%s: the request is accepted, and the answer is what is promised', (id, call) => {
    const operation = operationsById[id as keyof typeof operationsById] as Operation
    expect(operation.params.safeParse(call.params).error).toBeUndefined()
    const query = Object.fromEntries(Object.entries(call.query).map(([name, value]) => [name, String(value)]))
    expect(operation.query.safeParse(query).error).toBeUndefined()
    if (operation.body !== null) expect(operation.body.safeParse(call.request).error).toBeUndefined()
    for (const answer of Object.values(call.answers)) expect(operation.success.parse(answer)).toEqual(answer)
  })

  it.each(Object.entries({ ...refusals }))(
    '%s is refused with the status, the code and the details of its row',
    (key, body) => {
      const { code, details } = errorTable[key as ErrorKey]
      const { error, requestId, code: said, ...rest } = body as Record<string, unknown>
      expect([typeof error, typeof requestId, said ?? null]).toEqual(['string', 'string', code])
      expect(details.parse(rest)).toEqual(rest)
    },
  )

  it('every operation that asks before it spends shows its own figures', () => {
    const asking = (registry as readonly Operation[]).filter(({ errors }) =>
      errors.includes('spend_confirmation_required'),
    )
    const shown = Object.keys(own).filter((id) => own[id]!.spend_confirmation_required !== undefined)
    expect(asking.map(({ id }) => id).filter((id) => !shown.includes(id))).toEqual(
      ['trackPost', 'editCompany'].filter((id) => asking.some((each) => each.id === id)),
    )
  })

  it.each(Object.entries(jobResults))(
    'a job of type %s results in what its type promises, not one field more',
    (type, schema) => {
      const { result } = jobs[type as JobType] as { result: unknown }
      expect(schema.parse(result)).toEqual(result)
    },
  )
})
