import { expect, test } from 'vitest'
import { ClaimSize } from './claim-size.ts'

test('a claim takes twice as much as the last when that was quickly sent, else half as much, within bounds [WHK-17]', () => {
  const size = new ClaimSize()
  const claim = (beganMs: number) => {
    const most = size.next(beganMs)
    size.brought(most, beganMs)
    return most
  }
  expect([0, 50, 149, 200, 250].map(claim)).toEqual([24, 48, 96, 144, 144])
  expect([350, 450, 550, 650].map(claim)).toEqual([72, 36, 24, 24])
})

test('a claim that found nothing says nothing of how quickly things are sent', () => {
  const size = new ClaimSize()
  expect([size.next(0), size.next(10), size.next(5_000)]).toEqual([24, 24, 24])
})

test('the next is made once half is left of what the last one brought, however little that was', () => {
  const size = new ClaimSize()
  expect([size.isLow(13), size.isLow(12)]).toEqual([false, true])
  size.brought(6, 0)
  expect([size.isLow(4), size.isLow(3), size.isLow(0)]).toEqual([false, true, true])
})
