import { expect, test } from 'vitest'
import type { SystemClock } from './clock.ts'
import { openPlaces } from './places.ts'

/** A system clock whose waits end on command. */
function manualClock() {
  const waits = new Set<() => void>()
  const system: SystemClock = {
    nowMs: () => 0,
    every: () => () => {},
    sleep: () => Promise.reject(new Error('nobody pauses here')),
    expire: (_ms, signal) =>
      new Promise((resolve, reject) => {
        waits.add(resolve)
        signal?.addEventListener('abort', () => {
          waits.delete(resolve)
          reject(new Error('aborted'))
        })
      }),
  }
  return {
    system,
    waits,
    endWaits: () => {
      for (const end of waits) end()
    },
  }
}

function held() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let begun = false
  return { work: () => ((begun = true), promise), end: () => resolve('done'), begun: () => begun }
}

const refused = () => new Error('no place')
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many of a team are inside at once; the others follow in order, and other teams do not wait', async () => {
  const { system, waits } = manualClock()
  const places = openPlaces({ refused, limit: 2, waitMs: 1, system })
  const calls = [held(), held(), held(), held()]
  const passing = calls.map((call) => places.run('a', call.work))
  const other = held()
  const others = places.run('b', other.work)
  await settled()
  expect([...calls, other].map((call) => call.begun())).toEqual([true, true, false, false, true])
  calls[1]!.end()
  await settled()
  expect(calls.map((call) => call.begun())).toEqual([true, true, true, false])
  for (const call of [...calls, other]) call.end()
  expect(await Promise.all([...passing, others])).toEqual(Array(5).fill('done'))
  expect(waits.size).toBe(0)
})

test('who waits too long is refused, takes no place, and the line goes on', async () => {
  const { system, endWaits } = manualClock()
  const places = openPlaces({ refused, limit: 1, waitMs: 1, system })
  const first = held()
  const inside = places.run('a', first.work)
  const late = held()
  const answer = places.run('a', late.work).catch((error: unknown) => error)
  await settled()
  endWaits()
  expect([await answer, late.begun()]).toEqual([new Error('no place'), false])
  first.end()
  await inside
  expect(await places.run('a', async () => 'next')).toBe('next')
})

test('work that throws gives its place back', async () => {
  const { system } = manualClock()
  const places = openPlaces({ refused, limit: 1, waitMs: 1, system })
  await expect(places.run('a', async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await places.run('a', async () => 'next')).toBe('next')
})
