import { describe, expect, it } from 'vitest'
import { categoryInWords } from '../../credits/index.ts'
import { lineInWords, type LineFacts } from './ledger-words.ts'

const id = '019aa0d1-5c00-7000-8000-000000000001'

describe('a line of the ledger', () => {
  it.each<[LineFacts['kind'], string, string]>([
    ['grant', 'grant:opening', 'Credits to begin with'],
    ['grant', 'grant:team:2026-12-21T09:00:00.000Z', 'Credits of a new period'],
    ['lapse', 'lapse:team:2026-12-21T09:00:00.000Z', 'Unused credits of the period before lapsed'],
    ['topup', `topup:${id}`, 'Credits added'],
    ['adjust', `adjust:${id}`, 'The credits of each period were changed'],
    ['charge', `source:${id}:person:ACoAAB`, 'New person captured'],
    ['charge', `source:${id}:post:urn:li:activity:7`, 'New post found'],
    ['charge', `discover:${id}:person:ACoAAB`, 'Person found by Discover'],
    ['charge', `enrich:${id}:${id}`, 'Lead enriched on request'],
    ['charge', `enrich:discover:${id}`, 'Lead enriched on request'],
    ['charge', `read:${id}:post:urn:li:activity:7`, 'Post read on request'],
    ['charge', 'something:new', 'Charge'],
  ])('of kind %s with the key %s reads %s', (kind, key, words) =>
    expect(lineInWords({ kind, key, account: 'team' })).toBe(words),
  )
  it.each<[LineFacts['kind'], string, string]>([
    ['grant', 'grant:agent_trial', 'People the agent may check on its free trial'],
    ['topup', `topup:agent_trial:${id}`, 'A search for people, on the free trial of the agent'],
    ['lapse', `lapse:agent_trial:${id}`, 'Unused credits of a search for people lapsed'],
    ['lapse', 'lapse:agent_trial', 'The free trial of the agent ended with the subscription'],
    ['charge', `source:${id}:person:ACoAAB`, 'New person captured, paid by the free trial of the agent'],
  ])('of the agent’s free trial, of kind %s with the key %s, reads %s', (kind, key, words) =>
    expect(lineInWords({ kind, key, account: 'agent_trial' })).toBe(words),
  )
  it('names what belongs to no source', () =>
    expect(['discover', 'posts_read', 'enrichment', 'agent_trial', 'other', 'new'].map(categoryInWords)).toEqual([
      'Discover',
      'Posts read on request',
      'Leads enriched on request',
      'Free trial of the agent',
      'All others',
      'new',
    ]))
})
