import { describe, expect, it } from 'vitest'
import { compareLeads, judgeEngagement, judgeSignal, type Signal, type SignalFacts } from './signal.ts'
import { topicJudge } from './topics.ts'

const nothing = { leadMagnet: null, vacancy: null, personalNews: null }
const magnet = { ...nothing, leadMagnet: 'dm you' }
const vacancy = { ...nothing, vacancy: 'hiring' }
const news = { ...nothing, personalNews: 'new role' }
const like: SignalFacts = { kind: 'reaction', topic: null, kinds: nothing }
const likeOf = (kinds: SignalFacts['kinds'], topic: string | null = null): SignalFacts => ({ ...like, kinds, topic })
const commentOn = (kinds: SignalFacts['kinds'], topic: string | null = null): SignalFacts => ({
  kind: 'comment',
  kinds,
  topic,
})
const signalOf = (percent: number | null, ...engagements: SignalFacts[]) =>
  judgeSignal(engagements.map((one) => judgeEngagement(one, percent))).signal

describe('the signal of a person', () => {
  it.each<[string, number | null, SignalFacts[], Signal]>([
    ['two engagements', 70, [like, like], 'extra_strong'],
    ['a comment on a topic post', 70, [commentOn(nothing, 'growth')], 'strong'],
    ['a comment on a lead magnet', 70, [commentOn(magnet)], 'strong'],
    ['a like of a topic post by a full match', 100, [likeOf(nothing, 'growth')], 'strong'],
    ['a like of a topic post by somebody else', 99, [likeOf(nothing, 'growth')], 'medium'],
    ['a like of a lead magnet', 70, [likeOf(magnet)], 'medium'],
    ['a comment on any post', 70, [commentOn(nothing)], 'medium'],
    ['a like of any post by a full match', 100, [like], 'medium'],
    ['a like of a vacancy about a topic by a full match', 100, [likeOf(vacancy, 'growth')], 'strong'],
    ['a like of a vacancy about a topic', 70, [likeOf(vacancy, 'growth')], 'medium'],
    ['a comment on a vacancy about a topic', 70, [commentOn(vacancy, 'growth')], 'strong'],
    ['a comment on personal news about a topic', 70, [commentOn(news, 'growth')], 'strong'],
    ['a comment on a lead magnet in a vacancy', 70, [commentOn({ ...vacancy, leadMagnet: 'dm you' })], 'strong'],
    ['a like of a vacancy by a full match', 100, [likeOf(vacancy)], 'weak'],
    ['a comment on personal news', 70, [commentOn(news)], 'weak'],
    ['two vacancies', 70, [likeOf(vacancy), likeOf(vacancy)], 'weak'],
    ['a vacancy and personal news', 70, [likeOf(vacancy), commentOn(news)], 'weak'],
    ['two vacancies, one about a topic', 70, [likeOf(vacancy), likeOf(vacancy, 'growth')], 'medium'],
    ['two comments on vacancies, one about a topic', 70, [commentOn(vacancy, 'growth'), commentOn(vacancy)], 'strong'],
    ['a vacancy and a post', 70, [likeOf(vacancy), like], 'extra_strong'],
    ['a post, then many vacancies', 70, [like, ...Array<SignalFacts>(5).fill(likeOf(vacancy))], 'extra_strong'],
  ])('from %s at %s % is as promised [AGT-68, AGT-69, AGT-70, G142]', (_what, percent, engagements, signal) => {
    expect(signalOf(percent, ...engagements)).toBe(signal)
  })
  it('gives 3, 2 or 1 points with a reason each [AGT-60]', () => {
    expect(judgeEngagement({ ...like, kind: 'comment', topic: 'growth' }, 100)).toEqual({
      points: 3,
      reasons: ['Commented on a post about "growth"', 'A full ICP match who engaged with a post about "growth"'],
      aside: false,
    })
    expect(judgeEngagement(like, 50)).toEqual({ points: 2, reasons: ['Reacted to a post'], aside: false })
    expect(judgeEngagement({ ...like, kinds: { ...nothing, vacancy: 'we re hiring' } }, 50)).toEqual({
      points: 1,
      reasons: ['Reacted to a hiring post ("we re hiring")'],
      aside: true,
    })
  })
})

describe('the reasons of a signal', () => {
  const reasons = (facts: Partial<SignalFacts>, percent = 50) => judgeEngagement({ ...like, ...facts }, percent).reasons
  it('say what was done with what kind of post', () => {
    expect(reasons({ kind: 'comment', kinds: magnet })).toEqual(['Commented on a lead-magnet post ("dm you")'])
    expect(reasons({ topic: 'growth' })).toEqual(['Reacted to a post about "growth"'])
    expect(reasons({ kind: 'author', topic: 'growth' })).toEqual(['Wrote a post about "growth"'])
    expect(reasons({ kind: 'comment' })).toEqual(['Commented on a post'])
    expect(reasons({ kind: 'author', kinds: vacancy })).toEqual(['Wrote a hiring post ("hiring")'])
    expect(reasons({ kinds: news })).toEqual(['Reacted to personal news ("new role")'])
  })
  it('are those of all engagements, the strongest first, each once, at most five, after how many there were', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((topic) => judgeEngagement({ ...like, topic }, 50))
    const strong = judgeEngagement({ ...like, kind: 'comment', topic: 'z' }, 50)
    const about = (topic: string) => `Reacted to a post about "${topic}"`
    expect(judgeSignal([...all, all[0]!, strong])).toEqual({
      signal: 'extra_strong',
      reasons: ['Engaged 8 times', 'Commented on a post about "z"', ...['a', 'b', 'c', 'd'].map(about)],
    })
    expect(judgeSignal([all[0]!])).toEqual({ signal: 'medium', reasons: [about('a')] })
  })
})

describe('the topic of a text', () => {
  it('is one that it names as a phrase before an earlier one whose words it only has', () => {
    const judge = topicJudge(['marketing growth', 'growth marketing', '&', '  ', 'b2b  sales'])
    expect(judge('Growth marketing works')).toBe('growth marketing')
    expect(judge('Marketing of growth')).toBe('marketing growth')
    expect(judge('sales in b2b')).toBe('b2b  sales')
    expect(judge('this & that')).toBe('&')
    expect(judge('nothing of it')).toBeNull()
  })
  it.each([
    ['Why growth marketing works', 'growth marketing'],
    ['GROWTH-MARKETING is back #b2b', 'growth marketing'],
    ['Marketing is the engine of growth', 'growth marketing'],
    ['Growth alone', null],
    ['Growthmarketing', null],
    ['Über das Café', 'cafe'],
    ['', null],
  ])('%j is %j [AGT-58]', (text, topic) => {
    expect(topicJudge(['growth marketing', 'cafe', '!!'])(text)).toBe(topic)
  })
})

describe('the order of leads', () => {
  it('is the same however they are read: of equals the greater id comes first, unknown ICP % last', () => {
    const lead = (id: string, icp: number | null = 0) => ({ id, icp, signal: 'weak' as const, detectedAt: new Date(1) })
    const leads = [lead('b'), lead('a'), lead('c'), lead('d', null), lead('e', 1)]
    for (const read of [leads, leads.toReversed()])
      expect(read.toSorted(compareLeads).map(({ id }) => id)).toEqual(['e', 'c', 'b', 'a', 'd'])
  })
})
