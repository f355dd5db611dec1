/**
 * The figures on the pages compared with figures calculated by hand for one team: a free trial with an agent, a top-up, a changed
 * allowance, credits held and released, and sources of every type.
 *
 *   credits   40 at first + 250 topped up + 20 by the changed allowance = 310
 *   charged   person 4, company 2, raw 1, other 1, watch 2, posts read 2 (of 5 held) = 12; left 298, of which 250 topped up
 *   agent     3 people by the search, the same 3 by the writer it watches, 1 by Discover = 7, all from the trial's allowance: 1,000
 *             people, plus what its search for people got, of which the unused part lapsed: 994 left
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { topUp } from '../../src/modules/credits/index.ts'
import { agentOf, running, seedTopicPost, topicsOf } from '../scenarios/agent-stage.ts'
import { ok } from '../scenarios/outreach-stage.ts'
import type { Team } from '../world/world.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { enrichesTo, nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

let team: Team
let sources: Record<'person' | 'company' | 'raw' | 'other' | 'watch', { readonly label: string; readonly id: string }>

beforeAll(async () => {
  team = await world.team({ status: 'trial', credits: 40 })
  world.network.seedSearch({ generated: false, posts: [] })
  await world.unit(team, (tx) => topUp(tx, team.id, { amount: 250, key: 'invoice-1' }))
  expect((await team.change({ credits: 60 })).status).toBe(200)
  const inbox = await world.inbox()
  const person = await enrichesTo(world, team, ['Head of Sales', 'Sales Manager', 'Engineer', 'Baker'])
  await ok(
    team.put(`/sources/${person.id}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'sales' }] }),
  )
  await ok(team.put(`/sources/${person.id}/webhook`, { webhookUrl: inbox.url }))
  await ok(team.post(`/sources/${person.id}/push`, { icpOnly: true }))
  const page = world.handle('company')
  const [one, two] = [world.handle('fan'), world.handle('fan')]
  for (const handle of [one, two]) world.network.seedPerson({ handle, title: 'Pilot' })
  // One of them likes and comments: two rows, one person, one credit.
  world.network.seedPost({
    author: { company: page },
    reactions: [{ person: one }, { person: two }],
    comments: [{ person: one, text: 'And I say so' }],
  })
  await ok(team.post('/enrich/company', { username: page, saveTrackedProfile: true }))
  const raw = await enrichesTo(world, team, ['Engineer'], { enrichLeads: false })
  const other = await enrichesTo(world, team, ['Engineer'])
  const watched = world.handle('watched')
  for (let count = 0; count < 2; count++) world.network.seedPost({ author: watched, reactions: 0, comments: 0 })
  await ok(
    team.post('/enrich/profile', {
      username: watched,
      saveTrackedProfile: true,
      mode: 'posts_only',
      postsPerSync: 5,
      confirmSpend: true,
    }),
  )
  await world.drain()
  const read = await ok(team.get(`/profile/${watched}/posts?posts=5&confirmSpend=true`))
  expect(read.creditsCharged).toBe(2)
  const listed: { sourceId?: string; id: string; username: string }[] = (await ok(team.get('/sources'))).sources
  const idOf = (username: string) => listed.find((source) => source.username === username)!.id
  sources = {
    person: { label: nameOfPerson(world, person.author), id: person.id },
    company: { label: world.network.company(page)!.name, id: idOf(page) },
    raw: { label: raw.author, id: raw.id },
    other: { label: nameOfPerson(world, other.author), id: other.id },
    watch: { label: watched, id: idOf(watched) },
  }
  const [topic] = topicsOf(world, 1)
  seedTopicPost(world, `About ${topic}`, [{}, {}, {}])
  await running(world, team, { topics: [topic] })
  await world.drain()
  expect((await agentOf(team)).trial.checked).toBe(6)
}, 240_000)

const words = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
const stat = async (page: Page, label: string): Promise<string[]> =>
  words(
    await page
      .locator('div:has(> p:first-child)')
      .filter({ has: page.locator('p:first-child').getByText(label, { exact: true }) })
      .first()
      .locator('> p')
      .allInnerTexts(),
  ).slice(1)

describe('the page “Credits”', () => {
  it('says what is left, what was used and what was topped up, and counts the trial of an agent to none of them', async () => {
    const { page, complaints } = await pages.signedIn(team, '/credits', 'viewer')
    await page.getByText('Who spends').waitFor()
    await expect.poll(() => stat(page, 'Credits left')).toEqual(['298', '250 of them topped up'])
    await expect.poll(() => stat(page, 'Used in this period')).toEqual(['12', 'of 60 the plan gives'])
    await expect
      .poll(() => page.getByRole('meter', { name: 'Allowance used' }).getAttribute('aria-valuetext'))
      .toBe('12 of 60')
    // The twelve credits of the balance, ten of them for first syncs, without the agent's seven.
    await expect
      .poll(() => page.getByText(/You use about/).innerText())
      .toMatch(/You use about \d+ credits? a day, not counting the first syncs of new sources \(\d+ credits\)\./)
    expectNoComplaints({ complaints })
  })
})

describe('the page “Agent”', () => {
  it('says how many it has ranked and captured, and what its trial still allows', async () => {
    const { page } = await pages.signedIn(team, '/agent', 'viewer')
    await page.getByText('Leads ranked', { exact: true }).waitFor()
    const shown = ['Leads ranked', 'People captured', 'People being looked up']
    await expect.poll(() => Promise.all(shown.map((label) => stat(page, label)))).toEqual([['3'], ['3'], ['0']])
  })
})

describe('the page “Sources”', () => {
  it('counts leads, raw ones, those that fit, and credits of 30 days, by source', async () => {
    const { page } = await pages.signedIn(team, '/sources', 'viewer')
    await page.getByText(sources.person.label, { exact: true }).first().waitFor()
    const row = async (label: string) =>
      words(await page.getByRole('row').filter({ hasText: label }).getByRole('gridcell').allInnerTexts())
    // Coverage, leads, fit, credits; the company page and raw leads have no fit.
    await expect
      .poll(async () => (await row(sources.person.label)).slice(2, 6))
      .toEqual(['100% of 4', '4', '2 50%', '4'])
    await expect.poll(async () => (await row(sources.company.label)).slice(2, 6)).toEqual(['100% of 3', '3', '–', '2'])
    expect((await row(sources.raw.label)).slice(3, 6)).toEqual(['0 1 raw', '–', '1'])
  })
})
