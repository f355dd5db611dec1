import { expect, test } from 'vitest'
import { openFallbackRateWindows } from './fallback-rate-windows.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 9, 0, seconds))

test('a window in memory refuses past its limit, ends after a minute, and is of one team and class alone', () => {
  const windows = openFallbackRateWindows()
  const count = (seconds: number, team = 'a', bucket: 'reads' | 'untrackedPosts' = 'reads') =>
    windows.count({ teamId: team, bucket }, 2, at(seconds))
  expect(count(0)).toEqual({ limit: 2, remaining: 1, resetAt: at(60), refused: false })
  expect(count(30)).toEqual({ limit: 2, remaining: 0, resetAt: at(60), refused: false })
  expect(count(59)).toEqual({ limit: 2, remaining: 0, resetAt: at(60), refused: true })
  expect([count(59, 'b').refused, count(59, 'a', 'untrackedPosts').refused]).toEqual([false, false])
  expect(count(60)).toEqual({ limit: 2, remaining: 1, resetAt: at(120), refused: false })
})

test('a window opened far ahead of a clock since set back is over', () => {
  const windows = openFallbackRateWindows()
  windows.count({ teamId: 'a', bucket: 'reads' }, 1, at(3_600))
  expect(windows.count({ teamId: 'a', bucket: 'reads' }, 1, at(0)).refused).toBe(false)
})
