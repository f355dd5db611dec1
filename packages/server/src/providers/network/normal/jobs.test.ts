/** The jobs that somebody holds: what is one job told twice, which telling completes which, and how many are kept. */
import { describe, expect, it } from 'vitest'
import { type RawJob, readJobs } from './jobs.ts'

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

  it('is completed in each field that is missing, empty or nought, and in no other', () => {
    for (const none of [null, '', '0']) {
      const [read] = readJobs(
        [
          job({
            title: none === '0' ? null : none,
            companyName: 'Acme',
            companyId: none,
            companySlug: none,
            companyUrl: none,
          }),
        ],
        [{ ...history, title: 'CEO', companySlug: null }],
      )
      expect(read).toEqual({ title: 'CEO', company: acme })
    }
    expect(readJobs([job({ companyName: '0', companySlug: 'acme' })], [history])[0]!.company).toEqual(acme)
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
  it('ends after twenty', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => job({ title: `t${at}` }))
    expect([readJobs([], many(20)), readJobs(many(12), many(21))].map((jobs) => jobs.length)).toEqual([20, 20])
  })
  it('cleans titles, and takes off the employer as its name is read', () => {
    expect(readJobs([], [job({ title: ` CEO of Acme ${'x'.repeat(600)}` })])[0]!.title).toHaveLength(500)
    expect(readJobs([], [job({ title: 'CEO at Acme', companyName: ' Acme ' })])[0]!.title).toBe('CEO')
    expect(readJobs([], [job({ title: 'CEO at Acme', companyName: ' ' })])[0]!.title).toBe('CEO at Acme')
  })
})
