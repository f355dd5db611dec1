/** Who is in a campaign, which is paged for that; nobody counts as missing unless that is certain. */
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
  it('of more than 250 pages is not looked through, and nobody is said to be missing', async () => {
    const { find, asked } = before(rows(others(100), 25_001))
    await expect(find(wanted)).rejects.toMatchObject({
      kind: 'refused',
      message: 'heyreach GetLeadsFromCampaign: the campaign could not be looked through to its end',
    })
    expect(asked()).toHaveLength(250)
    const whole = before(rows(others(100), 25_000))
    expect([await whole.find(wanted), whole.asked().length]).toEqual([[], 250])
  })
  it.each([
    [401, 'invalid_key'],
    [500, 'unavailable'],
    [429, 'rate_limited'],
  ])('that answers %i says of nobody that they are missing', async (status, kind) =>
    expect(before({ status, body: {} }).find(wanted)).rejects.toMatchObject({ kind }),
  )
})
