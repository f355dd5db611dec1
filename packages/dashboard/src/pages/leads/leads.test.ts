import { describe, expect, it } from 'vitest'
import { drawn, moveColumn, readColumns, writeColumns } from './columns.tsx'
import { searches } from '../../app/searches.ts'
import { conflictsOf, dayOf, endOf, startOf } from './filters.ts'

describe('days as instants', () => {
  it('covers a day from its first to its last millisecond', () => {
    expect(Date.parse(endOf('2026-11-21')!) - Date.parse(startOf('2026-11-21')!)).toBe(86_400_000 - 1)
    expect(dayOf(startOf('2026-11-21'))).toBe('2026-11-21')
    expect(dayOf(endOf('2026-11-21'))).toBe('2026-11-21')
  })

  it('takes an empty field as no bound', () => {
    expect([startOf(''), endOf(''), dayOf(undefined)]).toEqual([undefined, undefined, ''])
  })
})

const known = ['person', 'company', 'fit']

describe('columns in the address', () => {
  it('are read as they are written', () => {
    const columns = [{ id: 'person', width: 200, pinned: true as const }, { id: 'fit' }]
    expect(writeColumns(columns)).toBe('!person~200,fit')
    expect(readColumns('!person~200,fit', known)).toEqual(columns)
  })

  it('leave out what is junk, unknown or said twice, and are none when nothing is left', () => {
    expect(readColumns('fit,Banana,fit,<script>,!company~50', known)).toEqual([
      { id: 'fit' },
      { id: 'company', width: 60, pinned: true },
    ])
    expect(readColumns('company~9999', known)).toEqual([{ id: 'company', width: 600 }])
    for (const junk of [undefined, '', 'Banana', ',,,']) expect(readColumns(junk, known)).toBeUndefined()
  })

  it('move by one place and not beyond the ends', () => {
    const columns = known.map((id) => ({ id }))
    expect(moveColumn(columns, 'fit', -1).map(({ id }) => id)).toEqual(['person', 'fit', 'company'])
    expect(moveColumn(columns, 'fit', 1)).toEqual(columns)
    expect(moveColumn(columns, 'nobody', 1)).toEqual(columns)
  })

  it('are drawn with those that stay in view first', () => {
    expect(drawn([{ id: 'person' }, { id: 'fit', pinned: true }]).map(({ id }) => id)).toEqual(['fit', 'person'])
  })
})

describe('the filters of leads', () => {
  it('says in words which combinations the service refuses, and which filter to drop', () => {
    expect(conflictsOf({ profileId: 'a', username: 'b' }).map(({ drop }) => drop)).toEqual([['username']])
    expect(conflictsOf({ username: 'b', sourceKind: 'post' }).map(({ at }) => at)).toEqual(['sourceKind'])
    expect(
      conflictsOf({ since: '2026-11-02T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' }).map(({ at }) => at),
    ).toEqual(['until'])
    expect(
      conflictsOf({ profileId: 'a', since: '2026-11-01T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' }),
    ).toEqual([])
  })
})

describe('the address of the page', () => {
  it('keeps every filter, and leaves out what it does not know', () => {
    expect(
      searches.leads({
        tab: 'engagers',
        isIcp: true,
        webhookStatus: 'sent',
        name: 42,
        since: '2026-11-01T00:00:00.000Z',
        lead: 'not an id',
        sourceKind: 'all',
        colour: 'red',
      }),
    ).toEqual({ tab: 'engagers', isIcp: true, webhookStatus: 'sent', name: '42', since: '2026-11-01T00:00:00.000Z' })
  })
})
