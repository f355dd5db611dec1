import { describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import type { Attempt } from './attempt.ts'
import type { Ready } from './claim.ts'
import { Pace } from './pace.ts'
import { lingerMs, Recorder, type RecorderDeps } from './recorder.ts'

const endpoint = { teamId: 'team', ownerId: 'owner' }
const readyOf = (teamId: string) =>
  ({ leased: { ...endpoint, teamId, id: 'id', leadId: null, fence: 1 }, url: 'https://a.example', atOnce: 5 }) as Ready
const attempt: Attempt = { ending: { kind: 'answered', status: 200, headers: {} }, elapsedMs: 1, response: 'ok' }

/** A recorder that writes into nothing, and so many attempts under way. */
function open(underWay: number, unitOfWork: () => Promise<void> = async () => {}) {
  const pace = new Pace()
  const deps = { unitOfWork, faultPoint: async () => {}, random: { next: () => 0 }, system: systemClock }
  const recorder = new Recorder(deps as unknown as RecorderDeps, pace)
  const begun = Array.from({ length: underWay }, () => pace.begin(0))
  const over: unknown[] = []
  /** One of them is answered. */
  const answer = (nowMs: number, teamId = 'team') => {
    const ready = readyOf(teamId)
    pace.end(begun.shift()!, ready.leased, { elapsedMs: 1 })
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
  test('of one team or not, whatever becomes of those of others in the same lot', async () => {
    const units = [() => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })), async () => {}]
    const { pace, recorder, answer, over } = open(2, () => units.shift()!())
    answer(0, 'a')
    answer(0, 'b')
    await recorder.record()
    expect(over).toEqual([{ error: expect.objectContaining({ code: '57P01' }) }, undefined])
    expect([units.length, pace.room(0)]).toEqual([0, 24])
  })
  test.each(['55P03', '57014'])(
    'again when they waited too long for a lock, which says %s, and not for ever',
    async (code) => {
      const late = () => Promise.reject(Object.assign(new Error('late'), { code }))
      const units = [late, async () => {}, late, late]
      const { recorder, answer, over } = open(2, () => units.shift()!())
      answer(0)
      await recorder.record()
      answer(0)
      await recorder.record()
      expect(over).toEqual([undefined, { error: expect.objectContaining({ code }) }])
    },
  )
  test('beside a team that has to wait for a lock; of that nothing more is begun, and its answers do not count until then', async () => {
    const lock = Promise.withResolvers<void>()
    const units = [() => lock.promise]
    const { pace, recorder, answer, over } = open(24, () => (units.shift() ?? (async () => {}))())
    for (let count = 0; count < 12; count++) answer(0, 'locked')
    for (let count = 0; count < 2; count++) answer(0, 'other')
    const recording = recorder.record()
    answer(0, 'locked')
    await recording
    const takes = () => ['locked', 'other'].map((team) => recorder.take(readyOf(team)))
    expect([over.length, takes(), pace.room(0)]).toEqual([2, [false, true], 15])
    answer(0, 'locked')
    expect([recorder.isRipe(1_000), pace.room(0)]).toEqual([false, 16])
    answer(0, 'other')
    expect(recorder.isRipe(1_000)).toBe(true)
    await recorder.record()
    expect([over.length, pace.room(0)]).toEqual([3, 17])
    lock.resolve()
    await expect.poll(() => over.length).toBe(15)
    expect([takes(), pace.room(0)]).toEqual([[true, true], 15])
    await recorder.record()
    expect([over.length, pace.room(0)]).toEqual([17, 17])
  })
})
