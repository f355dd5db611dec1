/** `vendors:capture` against the sandbox behind a recording proxy (docs/vendors.md). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capture, type Captured, differencesOf } from '../../../../scripts/vendors/capture.ts'
import { openRecordingProxy } from '../../../../scripts/vendors/proxy.ts'
import { scrub } from '../../../../scripts/vendors/scrub.ts'
import { pricesOf } from '../../../../scripts/vendors/settings.ts'
import { readOptions, usageOf, UsageError } from '../../../../scripts/vendors/usage.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openPooledEgress } from '../../src/platform/egress/index.ts'
import { createHarvestApi, createLinkdApi } from '../../src/providers/network/index.ts'
import { createMemoryBudget } from '../providers/memory-budget.ts'
import { plainName, plainTitle } from '../../src/providers/network/normal/names.ts'
import { wornName, wornShares, wornTitle } from '../../../sandbox/src/vendors/worn.ts'

let sandbox: Sandbox
let folder: string
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'tools', now: () => new Date('2026-11-21T09:00:00.000Z') })
  folder = mkdtempSync(join(tmpdir(), 'les-captured-'))
  const { world } = sandbox
  world.seedCompany({ slug: 'paper-moon', name: 'Paper Moon', country: 'US', employees: 320 })
  world.seedPerson({ handle: 'ada-quill', name: 'Ada Quill', country: 'US', company: 'paper-moon', title: 'CEO' })
  const post = { postedAt: '2026-11-20T10:00:00.000Z', reactions: 12, comments: 3 }
  world.seedPost({ ...post, author: 'ada-quill', text: 'On moons and hiring' })
  world.seedPost({ ...post, author: { company: 'paper-moon' }, text: 'Ours' })
  world.seedPost({ ...post, author: 'zoe-marsh', text: 'Mine' })
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

async function captured(name: 'harvestapi' | 'linkdapi', dollars: number): Promise<Captured> {
  const proxy = await openRecordingProxy(sandbox.addresses[name])
  const egress = openPooledEgress()
  const shared = { egress, system: systemClock, random: { next: () => 0.5 } }
  const open = name === 'harvestapi' ? createHarvestApi : createLinkdApi
  try {
    return await capture({
      vendor: open({ ...shared, budget: createMemoryBudget(shared), baseUrl: proxy.url, apiKey: 'k3y-of-a-user' }),
      exchanges: proxy.exchanges,
      priceOf: pricesOf(name),
      dollars,
      subject: { handle: 'ada-quill', company: 'paper-moon', term: 'moons' },
      folder,
      today: '2026-11-21',
      say: () => {},
    })
  } finally {
    await egress.close()
    await proxy.close()
  }
}

describe.each(['harvestapi', 'linkdapi'] as const)('capturing %s', (name) => {
  test('takes one answer of each operation under the limit, writes it without its people, and finds no difference', async () => {
    const found = await captured(name, 1)
    expect(found.operations.length).toBeGreaterThanOrEqual(9)
    expect(found.leftOut).toEqual([])
    expect(found.dollars).toBeGreaterThan(0.03)
    expect(found.dollars).toBeLessThanOrEqual(1)
    expect(found.balance.before).toBeGreaterThan(0)
    expect(found.balance.after).not.toBeNull()
    expect(Object.entries(found.differences).filter(([, lines]) => lines.length > 0)).toEqual([])
    const written = readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file), 'utf8'))
    expect(written).toHaveLength(found.operations.length)
    expect(written.join('\n')).not.toMatch(/k3y-of-a-user|ada-quill|Ada|Quill|paper-moon|Paper Moon|On moons/i)
  })
  test('asks nothing that could go over the limit', async () => {
    const found = await captured(name, 0.05)
    expect(found.leftOut.length).toBeGreaterThan(0)
    expect(found.dollars).toBeLessThanOrEqual(0.05)
  })
})

test('a hidden member, a single post with a video and what a page has reposted have shapes that are recorded', async () => {
  const { world, addresses } = sandbox
  world.seedPerson({ handle: 'nobody-seen', hidden: true })
  const postedAt = '2026-11-20T11:00:00.000Z'
  const video = world.seedPost({ author: 'ada-quill', text: 'See', contentType: 'video', postedAt })
  world.seedPost({ author: { company: 'paper-moon' }, repostOf: video.id, text: '', postedAt })
  const url = `https://www.linkedin.com/feed/update/urn:li:activity:${video.id}`
  for (const [operation, asked] of [
    ['profile', { publicIdentifier: 'nobody-seen' }],
    ['post', { url }],
    ['company-posts', { companyUniversalName: 'paper-moon' }],
  ] as const) {
    const answer = await fetch(`${addresses.harvestapi}/linkedin/${operation}?${new URLSearchParams(asked)}`, {
      headers: { 'x-api-key': 'k3y-of-a-user', 'user-agent': 'lead-engagement-service/1.0' },
    })
    expect([operation, answer.status]).toEqual([operation, 200])
    expect([operation, differencesOf('harvestapi', operation, await answer.json())]).toEqual([operation, []])
  }
})

test("pictures, reposts of them and posts of a page have shapes that are recorded of LinkdAPI's answers", async () => {
  const { world, addresses } = sandbox
  const postedAt = '2026-11-20T12:00:00.000Z'
  const ours = { company: 'paper-moon' }
  const picture = world.seedPost({ author: 'ada-quill', text: 'Pictured zeppelins', contentType: 'image', postedAt })
  const film = world.seedPost({ author: ours, text: 'Filmed zeppelins', contentType: 'video', postedAt })
  world.seedPost({ author: 'ada-quill', repostOf: film.id, text: '', postedAt })
  const headers = { 'x-linkdapi-apikey': 'k3y-of-a-user', 'user-agent': 'lead-engagement-service/1.0' }
  for (const [operation, path, asked] of [
    ['posts-info', 'posts/info', { urn: picture.id }],
    ['posts-info', 'posts/info', { urn: film.id }],
    ['search-posts', 'search/posts', { keyword: 'zeppelins' }],
    ['companies-company-posts', 'companies/company/posts', { id: world.company('paper-moon')!.id }],
    ['posts-all', 'posts/all', { urn: world.person('ada-quill')!.id }],
  ] as const) {
    const answer = await fetch(`${addresses.linkdapi}/api/v1/${path}?${new URLSearchParams(asked)}`, { headers })
    expect([operation, answer.status]).toEqual([operation, 200])
    expect([operation, differencesOf('linkdapi', operation, await answer.json())]).toEqual([operation, []])
  }
})

test('what members of the sandbox wear around their names and titles is what the adapters take off, in the shares of real lists', () => {
  const people = Array.from({ length: 20_000 }, (_, index) => ({
    id: `ACoAA${index}`,
    handle: `ada-quill-${index.toString(16).padStart(9, '0')}`,
    firstName: 'Ada',
    lastName: 'van Quill-Öz',
    name: 'Ada van Quill-Öz',
  }))
  const worn = people.map((person) => wornName(person).name)
  expect(new Set(worn.map(plainName))).toEqual(new Set(['Ada van Quill-Öz']))
  const share = worn.filter((name) => name !== 'Ada van Quill-Öz').length / people.length
  expect(share).toBeCloseTo(Object.values(wornShares).reduce((sum, one) => sum + one, 0) / 1000, 1)
  expect(wornName({ ...people[1]!, handle: 'ada-quill' }).name).toBe('Ada van Quill-Öz')
  const job = { companyName: 'Nord Logic', company: { id: '1', slug: 'nord-logic', logo: null }, end: null }
  const titles = Array.from({ length: 2_000 }, (_, month) =>
    wornTitle({ ...job, title: 'Head of Growth', start: { year: 2020, month } } as never),
  )
  expect(new Set(titles).size).toBeGreaterThan(1)
  expect(new Set(titles.map((title) => plainTitle(title, 'Nord Logic')))).toEqual(new Set(['Head of Growth']))
})

test('a tool says its options from the list it reads, and an unknown one is a mistake of its user', () => {
  const options = {
    dollars: { type: 'string', default: '1', value: 'N', about: 'ends when so much is spent' },
    sandbox: { type: 'boolean', default: false, about: 'no vendor' },
  } as const
  expect(usageOf('vendors:capture', 'Does it.', options).split('\n')).toEqual([
    'npm run vendors:capture -- [options]',
    'Does it.',
    '',
    '  --dollars N  ends when so much is spent (1)',
    '  --sandbox    no vendor',
    '  --help       says this',
  ])
  expect(readOptions(options, ['--dollars', '3']).values).toMatchObject({ dollars: '3', sandbox: false })
  expect(readOptions(options, ['--help']).help).toBe(true)
  for (const mistake of [['--bogus'], ['--dollars'], ['word'], ['--sandbox=yes']])
    expect(() => readOptions(options, mistake)).toThrow(UsageError)
})

test('scrubbing keeps shape and conventions, and no word of a person', () => {
  const id = 'ACoAAAdaQuillInventedAdaQuillInventedAd'
  expect(
    scrub({
      id,
      urn: 'urn:li:member:12345678',
      name: 'Ada',
      about: '',
      email: 'ada@quill.example',
      linkedinUrl: `https://www.linkedin.com/in/ada-quill?miniProfileUrn=urn%3Ali%3Afsd_profile%3A${id}`,
      photo: 'https://media.example/ada.jpg',
      location: { countryCode: 'US', linkedinText: 'Austin' },
      at: '2026-11-20T10:00:00.000Z',
      likes: 3,
      premium: true,
      nothing: null,
      unheardOf: ['secret'],
    }),
  ).toEqual({
    id: 'ACoAAScrubbedScrubbedScrubbedScrubbed00',
    urn: 'urn:li:member:70000000',
    name: 'words',
    about: '',
    email: 'somebody@example.com',
    linkedinUrl:
      'https://www.linkedin.com/in/somebody?miniProfileUrn=urn%3Ali%3Afsd_profile%3AACoAAScrubbedScrubbedScrubbedScrubbed00',
    photo: 'https://media.example/picture.jpg',
    location: { countryCode: 'US', linkedinText: 'words' },
    at: '2026-11-20T10:00:00.000Z',
    likes: 3,
    premium: true,
    nothing: null,
    unheardOf: ['words'],
  })
})
