import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitJudge, sizeBucket, type FitFacts, type FitProfile } from './agent-fit.ts'

const profile: FitProfile = {
  titles: ['Head of Growth', 'CMO'],
  countries: ['Germany', 'UK'],
  industries: ['Software Development'],
  companySizes: ['51-200', '201-500'],
}
const ideal: FitFacts = {
  jobTitle: 'Head of Growth at Acme',
  country: 'Germany',
  industry: 'Software Development',
  staffRange: '51-200',
  employeeCount: 900,
}
const byName = (wanted: readonly string[], text: string) => wanted.find((one) => one === text) ?? null
const judge = (facts: Partial<FitFacts>, of: Partial<FitProfile> = {}) =>
  fitJudge({ ...profile, ...of }, byName)({ ...ideal, ...facts })

describe('the fit of a person', () => {
  it('is 100 when every part matches, and says why [AGT-59, AGT-64]', () => {
    expect(judge({})).toEqual({
      listed: true,
      percent: 100,
      parts: [
        {
          part: 'title',
          outcome: 'match',
          value: 'Head of Growth at Acme',
          matched: 'Head of Growth',
          earned: 40,
          weight: 40,
        },
        { part: 'country', outcome: 'match', value: 'Germany', matched: 'Germany', earned: 30, weight: 30 },
        {
          part: 'industry',
          outcome: 'match',
          value: 'Software Development',
          matched: 'Software Development',
          earned: 15,
          weight: 15,
        },
        { part: 'size', outcome: 'match', value: '51-200', matched: '51-200', earned: 15, weight: 15 },
      ],
      reasons: [
        'Job title "Head of Growth at Acme" matches "Head of Growth": 40 of 40 points',
        'Country "Germany" matches "Germany": 30 of 30 points',
        'Industry "Software Development" matches "Software Development": 15 of 15 points',
        'Company size "51-200" matches "51-200": 15 of 15 points',
      ],
    })
  })
  it.each([
    [{ country: null }, 85],
    [{ industry: null }, 93],
    [{ industry: null, staffRange: null, employeeCount: null }, 85],
    [{ country: '  ', industry: null, staffRange: null, employeeCount: null }, 70],
  ])('%j unknown earns half: %i [AGT-65]', (facts, percent) => {
    expect(judge(facts).percent).toBe(percent)
    expect(judge(facts).reasons.some((reason) => reason.includes('is not known: half'))).toBe(true)
  })
  it('is rescaled over the parts that the profile names [AGT-66]', () => {
    expect(judge({ country: 'France' }, { industries: [], companySizes: [] })).toMatchObject({
      percent: 57,
      listed: true,
    })
    expect(judge({}, { countries: [], industries: [], companySizes: [] }).percent).toBe(100)
    expect(judge({}, { titles: [], countries: [], industries: [], companySizes: [] })).toEqual({
      listed: true,
      percent: null,
      parts: [],
      reasons: [],
    })
  })
  it.each([
    ['head of growth', true],
    ['Global HEAD OF GROWTH, EMEA', true],
    ['CMO & Co-Founder', true],
    ['Interim-CMO', true],
    ['Head of Growth Marketing', true],
    ['Head of Growthhacking', false],
    ['Director of Sales', false],
    ['CMOs', false],
    ['Ahead of Growth', false],
    [null, false],
    ['', false],
  ])('the title %j passes the gate: %s [AGT-63]', (jobTitle, listed) => {
    expect(judge({ jobTitle }).listed).toBe(listed)
  })
  it('everyone passes an empty list of titles; departments and seniority are not looked at [AGT-63, AGT-67]', () => {
    expect(judge({ jobTitle: null }, { titles: [] }).listed).toBe(true)
    expect(judge({ jobTitle: 'Junior CMO assistant, Finance department' }).parts[0]).toMatchObject({
      outcome: 'match',
      earned: 40,
    })
  })
  it.each([
    ['Computer Software', true],
    ['software development', true],
    ['Custom Software Development', true],
    ['Hardware Development', false],
    ['Softwaredevelopment', false],
    ['Development of Software', false],
    ['Software', true],
    [' -computer--SOFTWARE- ', true],
  ])('the industry %j is Software Development: %s [AGT-64]', (industry, match) => {
    expect(judge({ industry }).parts[2]!.outcome).toBe(match ? 'match' : 'miss')
  })
  it.each([
    ['51-200', null, '51-200'],
    ['51-200 employees', 9_999, '51-200'],
    ['2-10', null, '1-10'],
    ['5K-10K', null, '5001-10000'],
    ['unknown', 12, '11-50'],
    ['10,001+', null, '10001+'],
    ['10001+', null, '10001+'],
    ['1,001-5,000', null, '1001-5000'],
    [null, 10, '1-10'],
    [null, 11, '11-50'],
    [null, 5_000, '1001-5000'],
    [null, 10_001, '10001+'],
    [null, null, null],
    ['unknown', null, null],
    [null, 0, null],
    [null, -1, null],
    [null, 1, '1-10'],
  ])('the size of a company with range %j and %j employees is %j [AGT-64]', (range, count, bucket) => {
    expect(sizeBucket(range, count)).toBe(bucket)
  })
  it('finds an industry under the names it has had, with and for &', () => {
    const outcome = (wanted: string, industry: string) =>
      judge({ industry }, { industries: ['!!', wanted] }).parts.at(-2)!.outcome
    expect(outcome('Hospitals & Health Care', 'Hospitals and Health Care')).toBe('match')
    expect(outcome('Healthcare', 'Hospital & Health-Care')).toBe('match')
    expect(outcome('Finance', 'Financial Services')).toBe('match')
    expect(outcome('Finance', '!!')).toBe('miss')
  })
  it('names of what was wanted the first three', () => {
    const reason = (...titles: string[]) => judge({ jobTitle: 'Clerk' }, { titles }).reasons[0]
    expect(reason('A1', 'B2', 'C3')).toBe('Job title "Clerk" is not one of A1, B2, C3: 0 of 40 points')
    expect(reason('A1', 'B2', 'C3', 'D4')).toBe('Job title "Clerk" is not one of A1, B2, C3, …: 0 of 40 points')
  })
  it('of everybody listed lies between 40 and 100 when all parts are asked for, and equals the points earned [AGT-64]', () => {
    const text = fc.option(fc.constantFrom('Germany', 'France', 'Software Development', 'Farming', 'CMO', 'Clerk'), {
      nil: null,
    })
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.option(fc.nat(20_000), { nil: null }),
        (jobTitle, country, industry, employeeCount) => {
          const fit = judge({ jobTitle, country, industry, employeeCount, staffRange: null })
          const points = fit.parts.reduce((sum, one) => sum + one.earned, 0)
          return (
            fit.percent === Math.round(points) &&
            fit.reasons.length === 4 &&
            (!fit.listed || (fit.percent! >= 40 && fit.percent! <= 100))
          )
        },
      ),
    )
  })
})
