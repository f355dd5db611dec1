/** `vendors:capture` against the sandbox behind a recording proxy (docs/vendors.md). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capture, type Captured } from '../../../../scripts/vendors/capture.ts'
import { openRecordingProxy } from '../../../../scripts/vendors/proxy.ts'
import { scrub } from '../../../../scripts/vendors/scrub.ts'
import { pricesOf } from '../../../../scripts/vendors/settings.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openPooledEgress } from '../../src/platform/egress/index.ts'
import { createHarvestApi, createLinkdApi } from '../../src/providers/network/index.ts'
import { createMemoryBudget } from '../providers/memory-budget.ts'

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
