/** Who is in a campaign: one look-up a person, or the whole campaign; whoever is not known to be missing is never said to be. */
import { describe, expect, it } from 'vitest'
import { answering, type Served, stillClock } from '../../../test/providers/answers.ts'
import { neverHeld } from '../../../test/providers/never-held.ts'
import { createMemoryBudget } from '../../../test/providers/memory-budget.ts'
import { heldPlatform } from './index.ts'
import { createHeyReach } from './heyreach.ts'

const urlOf = (handle: string) => `https://www.linkedin.com/in/${handle}`
const unknownPeople = (count: number) => Array.from({ length: count }, (_, at) => urlOf(`nobody-${at}`))
const rows = (items: unknown[], totalCount = items.length): Served => ({ body: { totalCount, items } })
const member = (profileUrl: string) => ({ linkedInUserProfile: { profileUrl } })

function before(...served: (Served | Error)[]) {
  const egress = answering(...served)
  const system = stillClock()
  const budget = createMemoryBudget({ system })
  const platform = createHeyReach({
    baseUrl: 'https://vendor.example',
    egress,
    budget,
    system,
    random: { next: () => 0.5 },
  })
  const find = async (wanted: readonly string[], campaign = '77') => [
    ...(await heldPlatform(platform, neverHeld).findMembers('key', campaign, wanted)),
  ]
  const asked = () => egress.asked.map(({ url, body }) => [url.split('/').at(-1), JSON.parse(String(body)) as unknown])
  return { find, asked }
}
const looked = (asked: () => unknown[][]) => asked().map(([operation]) => operation)

describe('a few people', () => {
  it.each([
    [{ campaignId: 77 }, true],
    [{ id: 77 }, true],
    [{ campaignId: 77, id: 5 }, true],
    [{ campaignId: 5, id: 77 }, false],
    [{ campaignId: null, id: 77 }, true],
    [{ campaignId: 5 }, false],
  ])('are in it or not by the campaigns they are in: %j', async (row, isIn) => {
    const { find, asked } = before(rows([{ id: 3 }, row]))
    expect(await find([urlOf('ada')])).toEqual(isIn ? [urlOf('ada')] : [])
    expect(asked()).toEqual([['GetCampaignsForLead', { profileUrl: urlOf('ada'), offset: 0, limit: 100 }]])
  })
  it.each([
    ['a row that names no campaign', rows([{ id: 5 }, {}])],
    ['a row of another shape', rows([{ id: 'x' }])],
    ['a refusal', { status: 400, body: { errorMessage: 'no' } }],
    ['a refusal in words of a campaign', { status: 400, body: { errorMessage: 'campaign closed' } }],
    ['an unknown route', { status: 404, body: {} }],
    ['another shape', { body: { items: [] } }],
    ['an empty page of a list that goes on', rows([], 101)],
  ] as const)('are looked for in the whole campaign after %s', async (_how, answer) => {
    const { find, asked } = before(answer as Served, rows([member(urlOf('ADA'))]))
    expect(await find([urlOf('ada')])).toEqual([urlOf('ada')])
    expect(asked()).toEqual([
      ['GetCampaignsForLead', { profileUrl: urlOf('ada'), offset: 0, limit: 100 }],
      ['GetLeadsFromCampaign', { campaignId: 77, offset: 0, limit: 100 }],
    ])
  })
  it.each([
    [401, 'invalid_key'],
    [500, 'unavailable'],
    [429, 'rate_limited'],
  ])('are not said to be missing after %i', async (status, kind) => {
    const { find, asked } = before({ status, body: {} })
    await expect(find([urlOf('ada')])).rejects.toMatchObject({ kind })
    expect(new Set(looked(asked))).toEqual(new Set(['GetCampaignsForLead']))
  })
  it('who are in many campaigns are looked through to the last, or to the one', async () => {
    const hundred = Array.from({ length: 100 }, (_, at) => ({ id: at + 100 }))
    const late = before(rows(hundred, 101), rows([{ id: 77 }], 101))
    expect(await late.find([urlOf('ada')])).toEqual([urlOf('ada')])
    expect(late.asked().map(([, body]) => (body as { offset: number }).offset)).toEqual([0, 100])
    const early = before(rows([{ id: 77 }, ...hundred], 101))
    expect([await early.find([urlOf('ada')]), early.asked().length]).toEqual([[urlOf('ada')], 1])
  })
  it('are up to 49; of 50 the campaign is read at once; of none nobody is asked', async () => {
    const few = before(rows([]))
    expect([await few.find(unknownPeople(49)), looked(few.asked)]).toEqual([[], Array(49).fill('GetCampaignsForLead')])
    const many = before(rows([]))
    expect([await many.find(unknownPeople(50)), looked(many.asked)]).toEqual([[], ['GetLeadsFromCampaign']])
    const none = before(rows([]))
    expect([await none.find([]), none.asked()]).toEqual([[], []])
  })
  it('are asked for four at a time, and no more after one look-up that says nothing', async () => {
    const { find, asked } = before({ status: 404, body: {} }, rows([]), rows([]), rows([]), rows([]))
    await find(unknownPeople(20))
    const operations = looked(asked)
    expect([operations.at(-1), operations.length <= 8]).toEqual(['GetLeadsFromCampaign', true])
  })
})

const others = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => member(urlOf(`other-${from + at}`)))

describe('a whole campaign', () => {
  const wanted = [urlOf('ADA'), 'linkedin.com/in/zoe?x=1', ...unknownPeople(48)]
  const offsets = (asked: () => unknown[][]) => asked().map(([, body]) => (body as { offset: number }).offset)
  it('is read page by page; addresses are the same however they are spelled', async () => {
    const { find, asked } = before(
      rows([...others(99), member('elsewhere')], 150),
      rows([...others(48, 100), member(`${urlOf('ada')}/`), member(urlOf('zoe'))], 150),
    )
    expect(await find(wanted)).toEqual([urlOf('ADA'), 'linkedin.com/in/zoe?x=1'])
    expect(asked().map(([, body]) => body)).toEqual([
      { campaignId: 77, offset: 0, limit: 100 },
      { campaignId: 77, offset: 100, limit: 100 },
    ])
  })
  it('whose pages are shorter than asked for is read without a gap', async () => {
    const { find, asked } = before(
      rows(others(40), 90),
      rows([...others(39, 40), member(urlOf('ada'))], 90),
      rows(others(10, 80), 90),
    )
    expect([await find(wanted), offsets(asked)]).toEqual([[urlOf('ADA')], [0, 40, 80]])
  })
  it('is left once everybody has been found', async () => {
    const all = unknownPeople(50)
    const { find, asked } = before(rows(all.map(member), 1_000))
    expect([await find(all), asked().length]).toEqual([all, 1])
  })
  it('ends at its count', async () => {
    const exact = before(rows(others(100), 100), rows([member('x')], 100))
    expect([await exact.find(wanted), exact.asked().length]).toEqual([[], 1])
  })
  it('that ends before its count with an empty page was not looked through, and nobody is said to be missing', async () => {
    const empty = before(rows([member('x')], 500), rows([], 500))
    await expect(empty.find(wanted)).rejects.toMatchObject({ kind: 'refused' })
    expect(offsets(empty.asked)).toEqual([0, 1])
    const found = before(rows([], 500))
    await expect(found.find(wanted)).rejects.toMatchObject({ kind: 'refused' })
    expect(found.asked()).toHaveLength(1)
  })
  it.each([
    ['nothing', {}],
    ['null', null],
    ['an address that is no text', { linkedInUserProfile: { profileUrl: 7 } }],
    ['an empty address', member(' ')],
  ])('with a row that names nobody (%s) says of nobody that they are missing', async (_how, row) => {
    const { find, asked } = before(rows([row, ...others(99)], 101), rows([member(urlOf('ada'))], 101))
    await expect(find(wanted)).rejects.toMatchObject({ kind: 'refused' })
    expect(offsets(asked)).toEqual([0, 100])
    const all = unknownPeople(50)
    expect(await before(rows([row, ...all.map(member)])).find(all)).toEqual(all)
  })
  it('of more than a hundred pages is not looked through, and nobody is said to be missing', async () => {
    const { find, asked } = before(rows(others(100), 10_001))
    await expect(find(wanted)).rejects.toMatchObject({
      kind: 'refused',
      message: 'heyreach GetLeadsFromCampaign: the campaign could not be looked through to its end',
    })
    expect(asked()).toHaveLength(100)
    const whole = before(rows(others(100), 10_000))
    expect([await whole.find(wanted), whole.asked().length]).toEqual([[], 100])
  })
  it('whose answer cannot be read is not said to be empty', async () => {
    for (const body of [{ items: [] }, { totalCount: 1.5, items: [] }, { totalCount: 1, items: 'none' }])
      await expect(before({ body }).find(wanted)).rejects.toMatchObject({
        kind: 'unreadable',
        done: 'no',
        message: 'heyreach GetLeadsFromCampaign: the answer has not the promised shape',
      })
  })
})
