import { describe, expect, it } from 'vitest'
import { editOf, emptyDraft, trackOf, type Draft } from './draft.ts'

const draft = (change: Partial<Draft> = {}): Draft => ({ ...emptyDraft, terms: ['hiring'], ...change })

describe('a draft as a request', () => {
  it('names the scope and the spend contract, and leaves out what is not set', () => {
    const body = trackOf(draft())
    expect(body).toMatchObject({
      keywords: ['hiring'],
      creditCap: 100,
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      contractVersion: '2026-11-01',
      runOnce: false,
      maxRuns: null,
    })
    for (const absent of ['expression', 'name', 'contentType', 'authorKeyword', 'aiProvider', 'endAt', 'postsPerSync'])
      expect(body).not.toHaveProperty(absent)
  })
  it('captures nobody when only posts are wanted', () => {
    const body = trackOf(draft({ mode: 'posts_only', postsPerSync: '12' }))
    expect(body).toMatchObject({ mode: 'posts_only', postsPerSync: 12 })
    expect(body).not.toHaveProperty('captureEngagers')
  })
  it('sends a number that is none as none, so that the service names the field', () => {
    expect(trackOf(draft({ creditCap: 'many' })).creditCap).toBeNaN()
  })
})

describe('an edit', () => {
  it('is nothing when nothing differs', () => {
    expect(editOf('id', draft(), draft())).toBeNull()
  })
  it('names only what differs', () => {
    expect(editOf('id', draft(), draft({ creditCap: '60' }))).toEqual({ id: 'id', creditCap: 60 })
  })
  it('clears what was emptied', () => {
    const before = draft({
      name: 'Old',
      contentType: 'VIDEO',
      aiProvider: 'openai',
      aiPrompt: 'keep all',
      targeting: { ...emptyDraft.targeting, authorKeyword: ['founder'] },
    })
    expect(editOf('id', before, draft())).toEqual({
      id: 'id',
      name: null,
      contentType: null,
      authorKeyword: [],
      aiProvider: null,
      aiPrompt: null,
    })
  })
  it('writes the AI filter whole', () => {
    expect(
      editOf('id', draft({ aiProvider: 'openai', aiPrompt: 'one' }), draft({ aiProvider: 'openai', aiPrompt: 'two' })),
    ).toEqual({ id: 'id', aiProvider: 'openai', aiPrompt: 'two', aiModel: null })
  })
})
