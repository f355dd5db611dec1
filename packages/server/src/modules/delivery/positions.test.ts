/** Where claims go on, and when they begin at the front again. */
import { describe, expect, it } from 'vitest'
import { Positions, type Position, type Reached } from './positions.ts'

const position = (nth: number): Position => ({ due: `2026-11-25 10:00:0${nth}+00`, fence: nth })
const took = (ownerId: string, nth: number, more: Partial<Reached> = {}): Reached => ({
  teamId: 'team',
  ownerId,
  from: null,
  count: 24,
  position: position(nth),
  ...more,
})

/** A process that has claimed from the front of one endpoint. */
const begun = (...reached: Reached[]): Positions => {
  const positions = new Positions()
  positions.claimed({ reached, looked: ['team'] }, { beganMs: 0, nowMs: 10 })
  return positions
}
const of = (positions: Positions, nowMs: number) =>
  positions.of('team', nowMs).map(({ ownerId, from }) => [ownerId, from === null ? 'front' : from.fence])

describe('positions of claims', () => {
  it('are none before a team was looked at, and none of another team', () => {
    expect(new Positions().of('team', 0)).toEqual([])
    expect(begun(took('a', 1)).of('other', 10)).toEqual([])
  })

  it('go on where the last claim ended, the endpoint that gave something longest ago first', () => {
    const positions = begun(took('a', 1), took('b', 2))
    expect(of(positions, 20)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    positions.claimed({ reached: [took('a', 3, { from: position(1) })], looked: [] }, { beganMs: 20, nowMs: 30 })
    expect(of(positions, 40)).toEqual([
      ['b', 2],
      ['a', 3],
    ])
  })

  it('are kept of an endpoint that gave five or more, and moved by fewer', () => {
    expect(of(begun(took('a', 1, { count: 4 })), 20)).toEqual([])
    const positions = begun(took('a', 1, { count: 5 }))
    positions.claimed(
      { reached: [took('a', 2, { from: position(1), count: 1 })], looked: [] },
      { beganMs: 20, nowMs: 30 },
    )
    expect(of(positions, 40)).toEqual([['a', 2]])
  })

  it('end a second after the team was looked at as a whole', () => {
    const positions = begun(took('a', 1))
    expect(of(positions, 999)).toEqual([['a', 1]])
    expect(of(positions, 1_000)).toEqual([])
  })

  it('begin at the front again a second after the last time, however often claims went on in between', () => {
    const positions = begun(took('a', 1), took('b', 1))
    positions.claimed({ reached: [took('a', 2, { from: position(1) })], looked: [] }, { beganMs: 500, nowMs: 510 })
    positions.claimed({ reached: [took('b', 2)], looked: ['team'] }, { beganMs: 900, nowMs: 910 })
    expect(of(positions, 1_000)).toEqual([
      ['a', 'front'],
      ['b', 2],
    ])
  })

  it('begin at the front again once something was given back', () => {
    const positions = begun(took('a', 1), took('b', 2))
    positions.givenBack({ teamId: 'team', ownerId: 'a' })
    positions.givenBack({ teamId: 'team', ownerId: 'nobody' })
    expect(of(positions, 20)).toEqual([
      ['a', 'front'],
      ['b', 2],
    ])
  })

  it('last ten times as long as a look from the front took, ten seconds at most', () => {
    const [slow, endless] = [new Positions(), new Positions()]
    slow.claimed({ reached: [took('a', 1)], looked: ['team'] }, { beganMs: 0, nowMs: 200 })
    expect(of(slow, 1_999)).toEqual([['a', 1]])
    expect(of(slow, 2_000)).toEqual([])
    endless.claimed({ reached: [took('a', 1)], looked: ['team'] }, { beganMs: 0, nowMs: 9_000 })
    expect(of(endless, 9_999)).toEqual([['a', 1]])
    expect(of(endless, 10_000)).toEqual([])
  })

  it('are forgotten of an endpoint that gave nothing for three seconds', () => {
    const positions = begun(took('a', 1), took('b', 1))
    for (const beganMs of [900, 1_800, 2_700])
      positions.claimed({ reached: [took('b', 2)], looked: ['team'] }, { beganMs, nowMs: beganMs })
    expect(of(positions, 3_009)).toEqual([
      ['a', 'front'],
      ['b', 2],
    ])
    expect(of(positions, 3_010)).toEqual([['b', 2]])
  })
})
