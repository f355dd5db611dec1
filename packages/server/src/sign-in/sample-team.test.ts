import { describe, expect, it } from 'vitest'
import { readRecording } from './sample-team.ts'

const recorded = `${JSON.stringify({
  recordedTo: '2026-11-27T10:00:00.000Z',
  tables: [
    { name: 'one', columns: ['at', 'day', 'note'] },
    { name: 'two', columns: ['body'], texts: ['body'] },
  ],
})}
[0,"2026-11-26T09:30:00.000Z","2026-11-26",{"sent":"2026-11-27T10:00:00.000Z"}]
[1,"{\\"at\\":\\"2026-11-27T10:00:00.000Z\\"}"]
`

describe('the recording of the sample team', () => {
  it.each([
    ['2026-11-27T10:00:00.000Z', '2026-11-27T10:00:00.000Z', '2026-11-26'],
    ['2027-03-05T09:59:59.999Z', '2027-03-04T10:00:00.000Z', '2027-03-03'],
    ['2027-03-05T10:00:00.000Z', '2027-03-05T10:00:00.000Z', '2027-03-04'],
    ['2026-11-20T12:00:00.000Z', '2026-11-20T10:00:00.000Z', '2026-11-19'],
  ])('read at %s ends at %s, within the day before, and every instant and day moves alike', (now, end, day) => {
    const { tables, endedAt } = readRecording(recorded, new Date(now))
    expect(endedAt.toISOString()).toBe(end)
    expect(tables[0]!.rows).toEqual([{ at: `${day}T09:30:00.000Z`, day, note: { sent: end } }])
    expect(Buffer.from(String(tables[1]!.rows[0]!.body).slice(2), 'hex').toString()).toBe(`{"at":"${end}"}`)
  })
})
