/** HarvestAPI's single reads: what is asked for which question, and what is read of an answer where it says less, more or otherwise. */
import { describe, expect, it } from 'vitest'
import { failuresOf, opening, type Served } from '../../../../test/providers/answers.ts'
import { ProviderFailure } from '../../ports.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { createHarvestApi } from './index.ts'

const ada = 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'
function stage(served: readonly (Served | Error)[], budget: Partial<AdapterOptions['budget']> = {}) {
  const stand = opening(served)
  return { ...stand, vendor: createHarvestApi({ ...stand.options, budget: { ...stand.options.budget, ...budget } }) }
}
const element = (body: object): Served => ({ body: { element: body } })
const failureOf = failuresOf(ProviderFailure)

describe('a question', () => {
  it('is asked as the vendor takes it', async () => {
    const { vendor, calls, asked } = stage([element({})])
    for (const ask of [
      vendor.resolveHandle('ada'),
      vendor.profile({ handle: 'ada' }),
      vendor.profile({ urn: ada }),
      vendor.company({ slug: 'acme' }),
      vendor.company({ urn: 'urn:li:company:42' }),
      vendor.post('urn:li:activity:7'),
    ])
      await failureOf(ask)
    expect(calls()).toEqual([
      '/linkedin/profile-id?publicIdentifier=ada',
      '/linkedin/profile?publicIdentifier=ada&main=true',
      `/linkedin/profile?profileId=${ada}&main=true`,
      '/linkedin/company?universalName=acme',
      '/linkedin/company?companyId=42',
      '/linkedin/post?url=https%3A%2F%2Fwww.linkedin.com%2Ffeed%2Fupdate%2Furn%3Ali%3Aactivity%3A7',
    ])
    expect(asked[0]!.headers).toMatchObject({ 'x-api-key': 'k3y' })
  })
  it.each([
    ['resolveHandle', 'harvestapi resolveHandle: the answer has no member id'],
    ['profile', 'harvestapi profile: the profile has no member id'],
    ['company', 'harvestapi company: the company has no id or name'],
    ['post', 'harvestapi post: the post has no activity number'],
  ] as const)('%s that is answered without the key of the thing fails', async (operation, message) => {
    const { vendor } = stage([element({ id: 'x' })])
    const given = { resolveHandle: 'ada', profile: { urn: ada }, company: { slug: 'no slug' }, post: 'urn' }[operation]
    const failure = await failureOf((vendor[operation] as (what: unknown) => Promise<unknown>)(given))
    expect([failure.kind, failure.operation, failure.message]).toEqual(['malformed', operation, message])
  })
  it('of a handle is answered with the spelling it is kept in', async () => {
    const of = async (publicIdentifier: unknown, handle: string) =>
      (await stage([element({ id: ada, publicIdentifier })]).vendor.resolveHandle(handle)).handle
    expect([await of('Ada-Q', 'x'), await of(null, 'Ada'), await of(null, 'a b')]).toEqual(['ada-q', 'ada', 'a b'])
  })
})

describe('an answer', () => {
  it.each([
    [200, { element: null }, 'malformed'],
    [200, { element: [] }, 'malformed'],
    [201, { element: { id: ada } }, 'malformed'],
    [200, { elements: [], element: { id: ada } }, null],
    [200, { element: { id: ada }, error: 'No included data' }, null],
    [400, { error: ' no included data here' }, 'malformed'],
    [404, { error: 'No included data' }, 'not_found'],
    [500, { message: 'No included data' }, 'malformed'],
    [500, { error: 'We have no included data' }, 'unavailable'],
    [500, { error: 'No included database' }, 'unavailable'],
  ] as const)('%i %j is %s', async (status, body, kind) => {
    const { vendor } = stage([{ status, body }])
    if (kind === null) expect((await vendor.resolveHandle('ada')).urn).toBe(ada)
    else expect((await failureOf(vendor.resolveHandle('ada'))).kind).toBe(kind)
  })
  it('costs what it says', async () => {
    const stand = opening([{ body: { element: { id: ada }, cost: 0.25 } }])
    const costs: unknown[] = []
    await createHarvestApi({ ...stand.options, log: ({ cost }) => void costs.push(cost) }).resolveHandle('ada')
    expect(costs).toEqual([0.25])
  })
})

describe('the calls in flight', () => {
  const account = 'harvestapi:4ebed04a9fcd9ea8ac07b0c2'
  const says = (requestsConcurrency: unknown): Served => ({
    body: { element: { id: ada }, user: { requestsConcurrency } },
  })
  it('are one until an answer says how many, then as many, and what is learnt is kept once', async () => {
    const { vendor, limits, learnt } = stage([says(0), says('x'), says(4), says(4), says(100), says(101), says(3)])
    for (let call = 0; call < 8; call++) await vendor.resolveHandle('ada')
    expect(limits).toEqual([1, 1, 1, 4, 4, 100, 100, 3].map((inFlight) => [inFlight, null]))
    expect(learnt.map(([, inFlight]) => inFlight)).toEqual([4, 100, 3])
    expect(new Set(learnt.map(([of]) => of)).size).toBe(1)
    expect(learnt[0]![0]).toMatch(/^harvestapi:[0-9a-f]{24}$/)
    expect(learnt[0]![0]).toHaveLength(account.length)
  })
  it('begin with what is kept of the account, which is asked for once', async () => {
    const asked: string[] = []
    const { vendor, limits } = stage([element({ id: ada })], {
      learnt: async (of) => (asked.push(of), 7),
    })
    await vendor.resolveHandle('ada')
    await vendor.resolveHandle('ada')
    expect([limits, asked.length]).toEqual([
      [
        [7, null],
        [7, null],
      ],
      1,
    ])
  })
  it('that cannot be kept do not fail the call', async () => {
    const { vendor } = stage([says(4)], { learn: () => Promise.reject(new Error('away')) })
    expect((await vendor.resolveHandle('ada')).urn).toBe(ada)
  })
})

describe('the account', () => {
  const report = (user: object | null, more: object = {}) =>
    stage([{ body: { user, ...more } }]).vendor.account.report()
  it.each([
    [{}, {}, { plan: null, balance: null, maxInFlight: null }],
    [
      { planName: 'Pro', membershipTier: 'gold', requestsConcurrency: 9, totalBalance: 12.5 },
      { usage: { balance: 3 } },
      { plan: 'Pro', balance: 12.5, maxInFlight: 9 },
    ],
    [{ membershipTier: 'gold' }, { usage: { balance: 3 } }, { plan: 'gold', balance: 3, maxInFlight: null }],
    [{ totalBalance: 0, activePackages: [{ amountRemaining: 5 }] }, {}, { plan: null, balance: 0, maxInFlight: null }],
    [
      { activePackages: [{ amountRemaining: 5 }, { amountRemaining: null }, { amountRemaining: 2.5 }] },
      {},
      { plan: null, balance: 7.5, maxInFlight: null },
    ],
    [{ activePackages: [{}] }, {}, { plan: null, balance: null, maxInFlight: null }],
  ])('%j beside %j is told as %j', async (user, more, told) =>
    expect(await report(user, more)).toEqual({ credits: null, perMinute: null, ...told }),
  )
  it('is asked for where it is, and an answer without it is refused', async () => {
    const { vendor, calls } = stage([{ body: { user: {} } }])
    await vendor.account.report()
    expect([vendor.account.vendor, calls()]).toEqual(['harvestapi', ['/users/my-api-user']])
    for (const user of [null, [], 'x']) {
      const failure = await failureOf(stage([{ body: { user } }]).vendor.account.report())
      expect([failure.kind, failure.operation]).toEqual(['malformed', 'account'])
    }
  })
  it('is looked at by a page that is always there; that it is not found is an answer, too', async () => {
    const { vendor, calls } = stage([element({})])
    await vendor.account.canary()
    expect(calls()).toEqual(['/linkedin/company?universalName=linkedin'])
    await stage([{ status: 404, body: {} }]).vendor.account.canary()
    for (const status of [401, 500])
      expect((await failureOf(stage([{ status, body: {} }]).vendor.account.canary())).operation).toBe('canary')
  })
})

describe('a company', () => {
  const read = async (body: object) =>
    stage([element({ id: '42', name: 'Acme', ...body })]).vendor.company({ slug: 'x' })
  it('with nothing but number and name has nothing else', async () =>
    expect(await read({})).toEqual({
      urn: 'urn:li:company:42',
      slug: '42',
      name: 'Acme',
      linkedinUrl: 'https://www.linkedin.com/company/42',
      website: null,
      industry: null,
      industryId: null,
      employeeCount: null,
      staffRange: null,
      headquarters: null,
      description: null,
      foundedYear: null,
      followerCount: null,
      specialties: [],
      logoUrl: null,
      coverUrl: null,
    }))
  it('is known by its address where its number, slug or name is missing', async () => {
    const url = 'https://www.linkedin.com/company'
    expect(await read({ id: null, linkedinUrl: `${url}/42` })).toMatchObject({ urn: 'urn:li:company:42' })
    expect(await read({ name: null, linkedinUrl: `${url}/Acme` })).toMatchObject({ slug: 'acme', name: 'acme' })
    expect(await read({ universalName: 'Own', linkedinUrl: `${url}/acme` })).toMatchObject({
      slug: 'own',
      linkedinUrl: `${url}/own`,
    })
    expect((await failureOf(read({ name: null }))).kind).toBe('malformed')
    expect((await failureOf(read({ id: null }))).kind).toBe('malformed')
  })
  it('has what it says of itself, cleaned', async () =>
    expect(
      await read({
        website: 'acme.example',
        employeeCount: 12,
        employeeCountRange: { start: 11, end: 50 },
        followerCount: 3,
        description: ' We make ',
        foundedOn: { year: 1999 },
        industries: ['Computer Software'],
        specialities: ['A', 'A', ' '],
      }),
    ).toMatchObject({
      website: 'https://acme.example/',
      employeeCount: 12,
      staffRange: '11-50',
      followerCount: 3,
      description: 'We make',
      foundedYear: 1999,
      industry: 'Software Development',
      industryId: '4',
      specialties: ['A'],
    }))
  it('has its headquarters at the place that is marked, in the words of the place before those of its parts', async () => {
    const home = async (...locations: object[]) => (await read({ locations })).headquarters
    expect(await home({ city: 'Austin', country: 'US' })).toBeNull()
    expect(await home({ country: 'US', headquarter: true })).toBe('United States')
    expect(
      await home({ city: 'Berlin' }, { city: 'Austin', geographicArea: 'Texas', country: 'US', headquarter: true }),
    ).toBe('Austin, Texas, United States')
    const parsed = { city: 'Lyon', state: 'Rhône', countryCode: 'FR', country: 'Nowhere', countryFull: 'Elsewhere' }
    expect(await home({ headquarter: true, country: 'DE', parsed })).toBe('Lyon, Rhône, France')
    expect(
      await home({ headquarter: true, city: 'X', geographicArea: 'Y', parsed: { ...parsed, countryCode: null } }),
    ).toBe('X, Y, Elsewhere')
    expect(await home({ headquarter: true, country: 'Far away', parsed: { country: 'Germany' } })).toBe('Germany')
  })
  it('has the widest of several pictures, and its own before those', async () => {
    const wide = (...widths: (number | null)[]) =>
      widths.map((width) => ({ url: `https://img.example/${width}`, width }))
    expect(await read({ logos: wide(100, 400, 200, null), backgroundCovers: wide(null, 1) })).toMatchObject({
      logoUrl: 'https://img.example/400',
      coverUrl: 'https://img.example/1',
    })
    expect(
      await read({
        logo: 'https://img.example/l',
        logos: wide(1),
        backgroundCover: { url: 'https://img.example/c' },
        backgroundCovers: wide(1),
      }),
    ).toMatchObject({ logoUrl: 'https://img.example/l', coverUrl: 'https://img.example/c' })
  })
})

describe('a profile', () => {
  const read = async (body: object) => stage([element({ id: ada, ...body })]).vendor.profile({ urn: ada })
  it('with nothing but its id has nothing else', async () =>
    expect(await read({})).toEqual({
      urn: ada,
      name: null,
      headline: null,
      handle: null,
      linkedinUrl: `https://www.linkedin.com/in/${ada}`,
      avatarUrl: null,
      jobs: [],
      jobTitle: null,
      country: null,
      countryCode: null,
      company: null,
    }))
  it('is told by its fields', async () =>
    expect(
      await read({
        id: 'x',
        objectUrn: `urn:li:fsd_profile:${ada}`,
        firstName: 'Ada',
        lastName: 'Quill',
        headline: 'H',
        linkedinUrl: 'https://www.linkedin.com/in/other',
        publicIdentifier: 'Ada',
        photo: 'https://img.example/a',
        currentPosition: [{ title: 'CEO', companyName: 'Acme', companyId: '42', companyUniversalName: 'acme' }],
      }),
    ).toMatchObject({
      urn: ada,
      name: 'Ada Quill',
      headline: 'H',
      handle: 'ada',
      avatarUrl: 'https://img.example/a',
      jobTitle: 'CEO',
      company: { urn: 'urn:li:company:42', slug: 'acme', name: 'Acme' },
    }))
  it('has the jobs of its history that are held, behind those that are marked', async () => {
    const { jobs } = await read({
      currentPosition: [{ title: 'CEO' }],
      experience: [
        { title: 'Was', startDate: { year: 2019 }, endDate: { year: 2020 } },
        { title: 'Is', startDate: { year: 2021 }, endDate: 'Present' },
      ],
    })
    expect(jobs.map(({ title }) => title)).toEqual(['CEO', 'Is'])
  })
  it('has the one name that is told, the position before the title, and the page of its address', async () => {
    expect((await read({ lastName: 'Quill' })).name).toBe('Quill')
    const [job] = (
      await read({
        currentPosition: [
          { position: 'Chief', title: 'CEO', companyLinkedinUrl: 'https://www.linkedin.com/company/acme' },
        ],
      })
    ).jobs
    expect(job).toEqual({ title: 'Chief', company: { urn: null, slug: 'acme', name: null } })
    expect(
      await read({ linkedinUrl: 'https://www.linkedin.com/in/Ada', photo: { url: 'https://img.example/b' } }),
    ).toMatchObject({
      handle: 'ada',
      avatarUrl: 'https://img.example/b',
    })
  })
  it.each([
    [
      {
        parsed: { countryCode: 'FR', country: 'Germany', countryFull: 'Germany' },
        countryCode: 'DE',
        linkedinText: 'Spain',
      },
      'FR',
    ],
    [{ parsed: { country: 'Germany', countryFull: 'France' }, countryCode: 'ES' }, 'ES'],
    [{ parsed: { country: 'Germany', countryFull: 'France' }, linkedinText: 'Spain' }, 'FR'],
    [{ parsed: { country: 'Germany' }, linkedinText: 'Spain' }, 'DE'],
    [{ linkedinText: 'Madrid, Spain' }, 'ES'],
    [{}, null],
  ])('at %j is in %s', async (location, code) => expect((await read({ location })).countryCode).toBe(code))
})
