import { describe, expect, it } from 'vitest'
import { editedOf, followed } from './edited.ts'

const before = { website: 'acme.com', titles: ['CEO'], topics: ['sales'] }

describe('a form that is edited while what is stored changes', () => {
  it('follows in the fields that were left alone, and keeps those that were edited', () => {
    const edited = { ...before, titles: ['CEO', 'CTO'] }
    const stored = { website: 'acme.org', titles: ['CFO'], topics: ['sales', 'hiring'] }
    expect(followed(edited, before, stored)).toEqual({ ...stored, titles: ['CEO', 'CTO'] })
  })
  it('takes what a save made of a field, unless it was edited again meanwhile', () => {
    const sent = { ...before, website: 'https://acme.org/', titles: ['CTO'] }
    const now = { ...sent, titles: ['CTO', 'CMO'] }
    const stored = { ...before, website: 'acme.org', titles: ['CTO'] }
    expect(followed(now, sent, stored)).toEqual({ ...before, website: 'acme.org', titles: ['CTO', 'CMO'] })
  })
  it('sends what was edited alone', () => {
    const edited = { ...before, topics: ['hiring'] }
    expect(editedOf({ website: null, titles: [], topics: ['hiring'] }, edited, before)).toEqual({ topics: ['hiring'] })
    expect(editedOf({ website: null }, { ...before }, before)).toEqual({})
  })
})
