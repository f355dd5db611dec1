import { describe, expect, test } from 'vitest'
import type { Attempt } from './attempt.ts'
import type { Ready } from './claim.ts'
import { Pace } from './pace.ts'
import { lingerMs, Recorder, type RecorderDeps } from './recorder.ts'

const endpoint = { teamId: 'team', ownerId: 'owner' }
const ready = { leased: { ...endpoint, id: 'id', leadId: null, fence: 1 }, url: 'https://a.example' } as Ready
const attempt: Attempt = { ending: { kind: 'answered', status: 200, headers: {} }, elapsedMs: 1, response: 'ok' }

/** A recorder that writes into nothing, and so many attempts under way. */
function open(underWay: number, unitOfWork: () => Promise<void> = async () => {}) {
  const pace = new Pace()
  const deps = { unitOfWork, faultPoint: async () => {}, random: { next: () => 0 } }
  const recorder = new Recorder(deps as unknown as RecorderDeps, pace)
  const begun = Array.from({ length: underWay }, () => pace.begin(0))
  const over: unknown[] = []
  /** One of them is answered. */
  const answer = (nowMs: number) => {
    pace.end(begun.shift()!, endpoint, { elapsedMs: 1 })
    recorder.put({ ready, at: new Date(0), attempt, over: (failure) => void over.push(failure) }, nowMs)
  }
  return { pace, recorder, answer, over }
}

describe('answers are recorded [WHK-17]', () => {
  test('at once when no more are about to come', () => {
    const { recorder, answer } = open(2)
    answer(0)
    expect(recorder.isRipe(0)).toBe(false)
    answer(0)
    expect(recorder.isRipe(0)).toBe(true)
  })
  test('once half of what may be exposed waits, and never later than a moment', () => {
    const many = open(24)
    for (let count = 0; count < 11; count++) many.answer(0)
    expect(many.recorder.isRipe(0)).toBe(false)
    many.answer(0)
    expect(many.recorder.isRipe(0)).toBe(true)
    const few = open(24)
    few.answer(100)
    few.answer(105)
    expect([few.recorder.isRipe(99 + lingerMs), few.recorder.isRipe(100 + lingerMs)]).toEqual([false, true])
  })
  test('one lot after the other, and whoever sent them hears that it is over', async () => {
    const ending = Promise.withResolvers<void>()
    const { pace, recorder, answer, over } = open(24, () => ending.promise)
    for (let count = 0; count < 12; count++) answer(0)
    const recording = recorder.record()
    for (let count = 0; count < 12; count++) answer(0)
    expect([recorder.isRipe(1_000), over, pace.room(0)]).toEqual([false, [], 0])
    ending.resolve()
    await recording
    expect([recorder.isRipe(0), over.length, pace.room(0)]).toEqual([true, 12, 12])
  })
  test('or not: those whose attempts they were hear why, and they count no more', async () => {
    const death = { code: '57P01' }
    const { pace, recorder, answer, over } = open(1, () => Promise.reject(Object.assign(new Error('gone'), death)))
    answer(0)
    await recorder.record()
    expect(over).toEqual([{ error: expect.objectContaining(death) }])
    expect(pace.room(0)).toBe(24)
  })
})
