import { describe, expect, it } from 'vitest'
import { ArmedFault } from './faults.ts'
import { currentStepContext, isFailureOfTheRow, unexpectedRetryAt, withStepContext } from './task-context.ts'

const coded = (code: string, message = 'no') => Object.assign(new Error(message), { code })

describe('an unexpected failure', () => {
  it('is of the work, unless the database is in trouble or a fault was armed', () => {
    expect(
      [
        new TypeError('x is undefined'),
        coded('P0001'),
        coded('23505'),
        coded('22P05'),
        coded('42P01'),
        new RangeError('too deep'),
        'a thrown text',
      ].map(isFailureOfTheRow),
    ).not.toContain(false)
    const others = [
      new ArmedFault('armed fault: capture.leased'),
      coded('57P01'),
      coded('57014'),
      coded('53300'),
      coded('53100'),
      coded('08006'),
      coded('40P01'),
      coded('55P03'),
      coded('ECONNREFUSED'),
      new Error('Connection terminated unexpectedly'),
      new Error('timeout exceeded when trying to connect'),
    ]
    expect(others.map(isFailureOfTheRow)).not.toContain(true)
  })
  it('puts work off for 1, 5, 30 minutes and 2 hours, and the fifth ends it', () => {
    const now = new Date('2026-11-21T09:00:00.000Z')
    expect(
      [0, 1, 2, 3, 4, 5].map((failures) => unexpectedRetryAt(failures, now)?.toISOString().slice(11, 16) ?? null),
    ).toEqual(['09:01', '09:05', '09:30', '11:00', null, null])
  })
  it('belongs to the step around it and to no other', async () => {
    expect(currentStepContext()).toBeUndefined()
    const hands = await Promise.all([
      withStepContext(async () => currentStepContext()),
      withStepContext(async () => currentStepContext()),
    ])
    expect(hands[0]).not.toBe(hands[1])
    expect(hands[0]).toMatchObject({ work: undefined, committed: false })
  })
})
