import { describe, expect, it } from 'vitest'
import { timeAgo, timeUntil } from './format.ts'
import { windowsOver } from './windows.ts'

describe('a long list', () => {
  it('asks for the windows in view and no others', () => {
    expect([windowsOver(0, 20), windowsOver(95, 104), windowsOver(119_990, 119_999)]).toEqual([[0], [0, 1], [1199]])
  })
})

const now = Date.parse('2026-11-21T10:00:00Z')

describe('how long ago', () => {
  it.each([
    ['2026-11-21T10:00:00Z', 'just now'],
    ['2026-11-21T10:00:08Z', 'just now'],
    ['2026-11-21T10:05:00Z', 'just now'],
    ['2026-11-21T09:59:00Z', '1 minute ago'],
    ['2026-11-21T09:00:30Z', '59 minutes ago'],
    ['2026-11-21T09:00:00Z', '1 hour ago'],
    ['2025-11-01T10:00:00Z', 'last year'],
  ])('%s is %s, never in the future [FIX-12]', (at, words) => {
    expect(timeAgo(at, now)).toBe(words)
  })
})

describe('how soon', () => {
  it.each([
    ['2026-11-21T10:00:30Z', 'in 30 seconds'],
    ['2026-11-23T10:00:00Z', 'in 2 days'],
    ['2026-11-21T09:59:30Z', 'now'],
    ['2026-11-19T10:00:00Z', '2 days ago'],
  ])('%s is %s [FIX-12]', (at, words) => {
    expect(timeUntil(at, now)).toBe(words)
  })
})
