import { describe, expect, it } from 'vitest'
import { distinguished } from './source-names.ts'

describe('names of sources', () => {
  it('carry the handle where two have one name, and only there', () => {
    const ann = { id: '1', label: 'Ann Smith', username: 'ann-smith' }
    const other = { id: '2', label: 'Ann Smith', username: 'ann-smith-2' }
    const bea = { id: '3', label: 'Bea', username: 'bea' }
    const named = distinguished([ann, bea, other])
    expect(named.map(({ label }) => label)).toEqual(['Ann Smith · ann-smith', 'Bea', 'Ann Smith · ann-smith-2'])
    expect(named[1]).toBe(bea)
  })
  it('say nothing twice of what is called by its handle', () => {
    const sources = [
      { label: 'acme', username: 'acme' },
      { label: 'acme', username: 'acme-inc' },
    ]
    expect(distinguished(sources).map(({ label }) => label)).toEqual(['acme', 'acme · acme-inc'])
  })
})
