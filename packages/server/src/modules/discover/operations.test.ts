import { expect, it } from 'vitest'
import { presentRun, presentWithPeople } from './operations.ts'

const run = {
  teamId: 't',
  id: 'r1',
  agentId: null,
  state: 'done',
  phase: 'over',
  places: [],
  keywords: ['pumps'],
  countries: ['Chile'],
  minEngagement: 5,
  maxInfluencers: 9,
  found: 1,
  qualified: 4,
  countryChecked: 3,
  countryMatched: 2,
  errorCode: null,
  errorText: null,
  attempts: 0,
  fence: 3,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  startedAt: null,
  finishedAt: null,
} as never as Parameters<typeof presentRun>[0]
const shown = {
  id: 'r1',
  state: 'done',
  keywords: ['pumps'],
  countries: ['Chile'],
  minEngagement: 5,
  maxInfluencers: 9,
  found: 1,
  qualified: 4,
  countryChecked: 3,
  countryMatched: 2,
  createdAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
  error: null,
}

it('a run shows what was asked, what it came to, and when it ended [G91]', () => {
  expect(presentRun(run)).toEqual(shown)
  expect(presentRun({ ...run, finishedAt: new Date('2026-01-02T00:00:00Z') }).finishedAt).toBe(
    '2026-01-02T00:00:00.000Z',
  )
})

it('a run that failed says why, by its code when there are no words', () => {
  expect(presentRun({ ...run, errorCode: 'provider_error', errorText: 'The network did not answer' }).error).toEqual({
    code: 'provider_error',
    error: 'The network did not answer',
  })
  expect(presentRun({ ...run, errorCode: 'provider_error', errorText: null }).error).toEqual({
    code: 'provider_error',
    error: 'provider_error',
  })
})

it('a person of a run shows their figures [G92]', () => {
  const person = {
    personUrn: 'ACoAAx',
    handle: 'ann',
    linkedinUrl: 'https://l/in/ann',
    name: 'Ann',
    avatarUrl: null,
    jobTitle: 'CTO',
    company: 'Acme',
    country: 'Chile',
    postCount: 2,
    total: 10,
    highest: 7,
    averageEngagement: 5,
    topPostUrl: 'https://p',
    topPostText: 'Hi',
  }
  expect(presentWithPeople(run, [person])).toEqual({
    ...shown,
    influencers: [
      {
        name: 'Ann',
        linkedinUrl: 'https://l/in/ann',
        avatarUrl: null,
        jobTitle: 'CTO',
        company: 'Acme',
        country: 'Chile',
        highestEngagement: 7,
        averageEngagement: 5,
        postCount: 2,
        totalEngagement: 10,
        topPostUrl: 'https://p',
        topPostText: 'Hi',
      },
    ],
  })
})
