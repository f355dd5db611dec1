import { describe, expect, it } from 'vitest'
import type { Fit } from './agent-fit.ts'
import { judgePerson, posterTopics, type PostVerdict } from './agent-people.ts'

const activity = 'urn:li:activity:9'
/** Newest first; two sources have captured the same comment. */
const captured = [
  { leadId: 'lead-3', source: 0, postUrn: activity, key: `comment:${activity}:77` },
  { leadId: 'lead-2', source: 1, postUrn: null, key: 'author:urn:li:activity:8' },
  { leadId: 'lead-1', source: 2, postUrn: activity, key: `comment:${activity}:77` },
  { leadId: 'lead-0', source: 2, postUrn: activity, key: `reaction:${activity}:ACoAAx` },
]

describe('a person', () => {
  const kinds = { vacancy: null, personalNews: null, leadMagnet: null } as never
  const verdict = (topic: string | null): PostVerdict => ({ topic, kinds })
  const fit = { percent: 50, listed: true, parts: [], reasons: [] } as unknown as Fit
  const judged = (of: (urn: string | null) => PostVerdict, searched: (source: number) => string | null = () => null) =>
    judgePerson({ fit, captured, verdictOf: of, searchedTopic: searched })

  it('keeps fit and engagements in their order, each once and with what its post is about', () => {
    const person = judged((urn) => (urn === null ? verdict('drills') : verdict('pumps')))
    expect(person.fit).toBe(fit)
    expect(person.engagements.map(({ leadId, topic }) => [leadId, topic])).toEqual([
      ['lead-3', 'pumps'],
      ['lead-2', 'drills'],
      ['lead-0', 'pumps'],
    ])
  })
  it('did what each engagement is', () => {
    expect(judged(() => verdict(null)).engagements.map(({ reasons }) => reasons[0])).toEqual([
      'Commented on a post',
      'Wrote a post',
      'Reacted to a post',
    ])
  })
  it('engaged, where a post has no topic of its own, with the topic that its search looks for', () => {
    expect(
      judged(
        () => verdict(null),
        (source) => `searched ${source}`,
      ).engagements.map(({ topic }) => topic),
    ).toEqual(['searched 0', 'searched 1', 'searched 2'])
    expect(
      judged(
        () => verdict('pumps'),
        (source) => `searched ${source}`,
      ).engagements.map(({ topic }) => topic),
    ).toEqual(['pumps', 'pumps', 'pumps'])
    expect(judged(() => verdict(null)).engagements.map(({ topic }) => topic)).toEqual([null, null, null])
  })
  it('says more by a comment than by a reaction', () => {
    const [comment, , reaction] = judged(() => verdict('pumps')).engagements
    expect(comment!.points).toBeGreaterThan(reaction!.points)
  })
})

describe('what an author stands for', () => {
  let made = 0
  const post = (authorUrn: string | null, topic: string | null, headlineTopic: string | null = null) => ({
    urn: `urn:li:activity:${made++}`,
    authorUrn,
    topic,
    headlineTopic,
  })
  it('is what their headline says, else what their posts are about most often', () => {
    const topics = posterTopics([
      post('a', 'pumps'),
      post('a', 'drills'),
      post('a', 'drills'),
      post('a', null),
      post('b', 'pumps'),
      post('b', 'pumps'),
      post('b', null, 'mines'),
      post('c', null),
    ])
    expect([...topics].toSorted()).toEqual([
      ['a', 'drills'],
      ['b', 'mines'],
    ])
  })
  it('is what most are about, also where the newest is about something else', () => {
    expect(posterTopics([post('a', 'drills'), post('a', 'drills'), post('a', 'pumps')]).get('a')).toBe('drills')
    expect(posterTopics([post('a', null, 'mines'), post('a', 'pumps')]).get('a')).toBe('mines')
  })
  it('is what the newest say where as many are about something else, in whatever order they are read', () => {
    const posts = [post('a', 'pumps'), post('a', 'drills'), post('b', null, 'mines'), post('b', null, 'oil')]
    for (const read of [posts, posts.toReversed()])
      expect(posterTopics(read)).toEqual(
        new Map([
          ['a', 'drills'],
          ['b', 'oil'],
        ]),
      )
  })
  it('is nothing of posts whose author nobody knows', () => {
    expect([...posterTopics([post(null, 'pumps'), post('', 'pumps', 'mines')])]).toEqual([])
  })
})
