import { describe, expect, test } from 'vitest'
import type { Ready } from './claim.ts'
import { keyOf } from './pace.ts'
import { WaitingDeliveries } from './waiting.ts'

const ready = (ownerId: string, id: string) =>
  ({ leased: { teamId: 'team', ownerId, id, leadId: null, fence: 1 }, url: 'https://a.example' }) as unknown as Ready

const at = (sinceMs: number) => ({ sinceMs, leasedMs: 0 })

const several = (ownerId: string, ...ids: string[]) => ids.map((id) => ready(ownerId, `${ownerId}${id}`))

/** Looks with room for so many of the process and of each endpoint; what began, and what is to be given back. */
function look(
  waiting: WaitingDeliveries,
  { room, each = 99, nowMs = 0 }: { room: number; each?: number; nowMs?: number },
) {
  const begun: string[] = []
  const ofOwner = new Map<string, number>()
  const back = waiting.begin({
    nowMs,
    hasRoom: () => begun.length < room,
    begin: ({ leased: { ownerId, id } }) => {
      const already = ofOwner.get(ownerId) ?? 0
      if (already >= each) return false
      ofOwner.set(ownerId, already + 1)
      begun.push(id)
      return true
    },
  })
  return { begun, back: back.map(({ id }) => id) }
}

describe('deliveries that wait for their endpoint [WHK-17]', () => {
  test('begin in the order they were leased in, as far as each endpoint has room', () => {
    const waiting = new WaitingDeliveries()
    waiting.add([...several('a', '1', '2', '3'), ...several('b', '1')], at(0))
    waiting.add(several('a', '4'), at(0))
    expect(look(waiting, { room: 9, each: 2 })).toEqual({ begun: ['a1', 'a2', 'b1'], back: [] })
    expect(look(waiting, { room: 9 }).begun).toEqual(['a3', 'a4'])
    expect(waiting.count).toBe(0)
  })

  test('let every endpoint have its turn while the process has room for few', () => {
    const waiting = new WaitingDeliveries()
    waiting.add([...several('a', '1', '2', '3', '4'), ...several('b', '1', '2'), ...several('c', '1')], at(0))
    const turns = Array.from({ length: 4 }, () => look(waiting, { room: 1 }).begun[0])
    expect(turns).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  test('are given back once they have waited too long for an endpoint, and not for the process', () => {
    const waiting = new WaitingDeliveries()
    waiting.add(several('a', '1', '2'), at(0))
    waiting.add(several('a', '3'), at(400))
    expect(look(waiting, { room: 0, nowMs: 501 })).toEqual({ begun: [], back: [] })
    expect(look(waiting, { room: 1, nowMs: 501 })).toEqual({ begun: ['a1'], back: [] })
    expect(look(waiting, { room: 9, each: 0, nowMs: 500 }).back).toEqual([])
    expect(look(waiting, { room: 9, each: 0, nowMs: 501 }).back).toEqual(['a2'])
    expect(waiting.count).toBe(1)
  })

  test('leave with their endpoint, and all at the end', () => {
    const waiting = new WaitingDeliveries()
    waiting.add([...several('a', '1'), ...several('b', '1', '2'), ...several('c', '1')], at(0))
    expect(waiting.take(keyOf({ teamId: 'team', ownerId: 'b' })).map(({ id }) => id)).toEqual(['b1', 'b2'])
    expect(waiting.take('nobody')).toEqual([])
    expect([waiting.count, waiting.takeAll().map(({ id }) => id), waiting.count]).toEqual([2, ['a1', 'c1'], 0])
  })
})
