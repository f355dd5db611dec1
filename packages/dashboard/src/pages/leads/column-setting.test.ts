import { describe, expect, it } from 'vitest'
import { drawn, moveColumn, readColumns, writeColumns } from './columns.tsx'

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
