import { expect, it } from 'vitest'
import { presentRun } from './operations.ts'

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
