/** A person's jobs: duplicates, which of them completes which, and how many are kept. */
import { describe, expect, it } from 'vitest'
import { type RawJob, readJobs, isHeld, readJobDate } from './jobs.ts'

const job = (fields: Partial<RawJob>): RawJob => ({
  title: null,
  companyName: null,
  companyId: null,
  companySlug: null,
  companyUrl: null,
  ...fields,
})
const acme = { urn: 'urn:li:company:42', slug: 'acme', name: 'Acme' }
const history = job({
  title: 'CEO',
  companyName: 'Acme',
  companyId: '42',
  companySlug: 'acme',
  companyUrl: 'https://www.linkedin.com/company/acme',
})

describe('a job that is marked as current', () => {
  it.each<[how: string, marked: Partial<RawJob>, company: typeof acme]>([
    ['by number', { companyId: '42' }, acme],
    ['by slug in any case', { companySlug: 'ACME' }, acme],
    ['by name in any case', { companyName: 'ACME' }, { ...acme, name: 'ACME' }],
    ['by slug where it has no number', { companyId: '0', companySlug: 'acme' }, acme],
    ['by name where its number is empty', { companyId: '', companyName: 'Acme' }, acme],
    ['under the same title in other case', { title: 'ceo', companyId: '42' }, acme],
    ['where its title is empty', { title: '', companyId: '42' }, acme],
  ])('is completed from the history %s', (_how, marked, company) => {
    const [first, ...more] = readJobs([job(marked)], [history])
    expect([first!.company, more]).toEqual([company, []])
    expect(first!.title).toBe(marked.title || 'CEO')
  })

  it.each<[how: string, marked: Partial<RawJob>]>([
    ['of another number', { companyId: '43' }],
    ['of another number though its name is the same', { companyId: '43', companyName: 'Acme' }],
    ['under another title', { title: 'Board member', companyId: '42' }],
    ['of another slug and name', { companySlug: 'other', companyName: 'Other' }],
    ['of which nothing is told', { title: 'CEO' }],
    ['of which empty texts are told', { title: 'CEO', companyName: '', companySlug: '', companyId: '0' }],
  ])('%s is another job', (_how, marked) => {
    const titles = readJobs([job(marked)], [history]).map(({ title }) => title)
    expect(titles).toEqual([marked.title ?? null, 'CEO'])
  })

  it('is known by its name where the history has no number of it', () => {
    const [first, ...more] = readJobs([job({ companyId: '42', companyName: 'acme' })], [{ ...history, companyId: '0' }])
    expect([first!.title, more]).toEqual(['CEO', []])
  })

  it('does not take empty texts of the history for the same employer', () => {
    for (const none of ['', '0', null])
      expect(
        readJobs(
          [job({ title: 'A', companySlug: none, companyName: none })],
          [job({ title: 'A', companySlug: none, companyName: none })],
        ),
      ).toHaveLength(2)
  })

  it('keeps what it says itself, and takes each row of the history once', () => {
    const jobs = readJobs(
      [
        job({ title: 'Founder', companyName: 'ACME' }),
        job({ companyName: 'Acme' }),
        job({ companyName: 'Acme', companySlug: 'own' }),
      ],
      [history, job({ companyName: 'acme', companyId: '7' })],
    )
    expect(jobs).toEqual([
      { title: 'Founder', company: { urn: 'urn:li:company:7', slug: null, name: 'ACME' } },
      { title: 'CEO', company: acme },
      { title: null, company: { urn: null, slug: 'own', name: 'Acme' } },
    ])
  })
})

describe('the list', () => {
  it('has the marked jobs first, each in their order, without those that say nothing', () => {
    const jobs = readJobs(
      [job({ title: 'B' }), job({}), job({ companyName: 'C' })],
      [job({ title: ' ' }), job({ title: 'D' })],
    )
    expect(jobs.map(({ title, company }) => title ?? company?.name)).toEqual(['B', 'C', 'D'])
  })
})

describe('when a job began or ended', () => {
  /** `2020-08`, or only the year if the month is unknown; `now` and null stay. */
  const dateOf = (text: string | null) => {
    if (text === null || text === 'now') return text
    const [year, month] = text.split('-').map(Number)
    return { year, month: month ?? null }
  }
  it.each<readonly [value: unknown, date: string | null]>([
    [{ month: 'Aug', year: 2020, text: 'Aug 2020' }, '2020-08'],
    [{ month: 'August', year: '2020' }, '2020-08'],
    [{ year: 2020, month: 8, day: 0 }, '2020-08'],
    [{ year: 2020, month: 0, day: 0 }, '2020'],
    [{ year: 2020, text: '2020' }, '2020'],
    [{ year: 2020, month: 1 }, '2020-01'],
    [{ year: 2020, month: ' 12 ' }, '2020-12'],
    [{ year: 2020, month: ' August ' }, '2020-08'],
    ...[13, 1.5, '13', 'xyz', true].map((month) => [{ year: 2020, month }, '2020'] as const),
    ...[1900, 2100].flatMap((year) => [[year, String(year)] as const, [{ year: ` ${year} ` }, String(year)] as const]),
    ...[1899, 2101, 2020.5, '2020x'].map((year) => [{ year }, null] as const),
    [{ year: 1899, text: 'May 2020' }, '2020-05'],
    [{ year: '0' }, 'now'],
    [{ year: 0, text: '  ' }, 'now'],
    [{ year: 0, text: 'ages ago' }, null],
    [' Present ', 'now'],
    ['2020-08-01', '2020-08'],
    ['from 2020/8', '2020-08'],
    ['2020-081', '2020'],
    ['12020', null],
    [{ text: 'Aug 2020' }, '2020-08'],
    ['Aug 2020', '2020-08'],
    ['2020-08', '2020-08'],
    ['2020', '2020'],
    [2020, '2020'],
    [{ text: 'Present' }, 'now'],
    ['present', 'now'],
    ['heute', 'now'],
    [{ year: 0, month: 0, day: 0 }, 'now'],
    [{ month: 'Aug' }, null],
    [{ text: '' }, null],
    ['', null],
    ['ages ago', null],
    [['2020'], null],
    [-1, null],
    [null, null],
    [undefined, null],
  ])('%j is %j', (value, date) => {
    expect(readJobDate(value)).toEqual(dateOf(date))
  })
  it.each([
    [{ month: 'Aug', year: 2020 }, { text: 'Present' }, true],
    [{ month: 'Aug', year: 2020 }, null, true],
    [{ month: 'Aug', year: 2020 }, undefined, true],
    [{ month: 'Aug', year: 2020 }, {}, true],
    [{ year: 2020, month: 8, day: 0 }, { year: 0, month: 0, day: 0 }, true],
    [{ year: 0, month: 0, day: 0 }, { year: 0, month: 0, day: 0 }, true],
    [null, { text: 'Present' }, true],
    [{ year: 2020 }, { month: 'Mar', year: 2024 }, false],
    [{ year: 2020 }, { year: 2024, month: 0, day: 0 }, false],
    [{ year: 2020 }, 'ages ago', false],
    [{ year: 2020 }, '', true],
    [{ year: 2020 }, { year: null, month: undefined, text: '' }, true],
    [{ year: 2020 }, { month: 8 }, false],
    [{ year: 2020 }, { year: '', day: 0 }, false],
    [{ year: 2020 }, 5, false],
    [{ year: 2020 }, true, false],
    [{ year: 0, month: 0, day: 0 }, null, false],
    [null, null, false],
    [undefined, undefined, false],
  ])('a job from %j to %j is held: %j', (start, end, held) => {
    expect(isHeld({ start, end })).toBe(held)
  })
})
