import { beforeAll, describe, expect, it } from 'vitest'
import { capture, fans, type Captured } from '../scenarios/outreach-stage.ts'
import type { Team } from '../world/world.ts'
import { expectNoComplaints, findings, useWorldWithPages } from './browser.ts'
import { rowOf, rows, staged } from './leads-stage.ts'
import { nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

let team: Team
let source: Captured
beforeAll(async () => {
  team = await world.team({ credits: 5_000 })
  source = await staged(world, team)
})

describe('the list of leads', () => {
  it('says what to do while there is nothing, and fills by itself once a source captures', async () => {
    const newTeam = await world.team({ credits: 5_000 })
    const seen = await pages.signedIn(newTeam, '/leads')
    await seen.page.getByRole('heading', { name: 'Nobody is watched yet' }).waitFor()
    await expect
      .poll(() => seen.page.getByRole('link', { name: 'Track a source' }).getAttribute('href'))
      .toContain('/sources')
    await staged(world, newTeam)
    await rowOf(seen, 'Sanne Sales').waitFor()
    await expect.poll(() => rows(seen).count()).toBe(3)
    expectNoComplaints(seen)
  })

  it('opens a lead by the keyboard at an address of its own: who it is, fit and why, what they did, why it was not delivered', async () => {
    const seen = await pages.signedIn(team, '/leads', 'viewer')
    await rowOf(seen, 'Sanne Sales').focus()
    await seen.page.keyboard.press('Enter')
    const detail = seen.page.getByRole('dialog', { name: 'Sanne Sales' })
    await detail.getByText('Job title contains “head of”').waitFor()
    expect(seen.page.url()).toContain('lead=')
    const text = await detail.innerText()
    expect(text).toContain('Netherlands')
    expect(text).toContain('Cost the credit')
    expect(text).toContain(nameOfPerson(world, source.username))
    expect(text).toContain('Why it was not delivered')
    expect(await findings(seen.page)).toEqual([])
    await seen.page.reload()
    await detail.getByText('What they did').waitFor()
    await seen.page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    expect(seen.page.url()).not.toContain('lead=')
    expectNoComplaints(seen)
  })

  it('keeps its filters in the address: they survive a reload, Back takes the last one off, and a chip takes one off', async () => {
    const seen = await pages.signedIn(team, '/leads')
    const { page } = seen
    await rowOf(seen, 'Ben Baker').waitFor()
    await page.getByLabel('Fit', { exact: true }).selectOption('false')
    await rowOf(seen, 'Sanne Sales').waitFor({ state: 'detached' })
    await page.getByLabel('Search by name').fill('cora')
    await rowOf(seen, 'Ben Baker').waitFor({ state: 'detached' })
    // The list changes at once, the address a moment later.
    await page.waitForURL((url) => url.search === '?isIcp=false&name=cora')
    await page.reload()
    await rowOf(seen, 'Cora Comment').waitFor()
    await page.getByText('The filters choose 1 of 3 leads.').waitFor()
    await page.goBack()
    await rowOf(seen, 'Ben Baker').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Fit: does not fit' }).click()
    await rowOf(seen, 'Sanne Sales').waitFor()
    await page.getByLabel('Search by name').fill('nobody of that name')
    await page.getByRole('heading', { name: 'No lead matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await rowOf(seen, 'Ben Baker').waitFor()
    expectNoComplaints(seen)
  })
})

describe('the grid', () => {
  it('is sorted by the service at a press, the address keeps order and columns, and j goes on to the next lead', async () => {
    const seen = await pages.signedIn(team, '/leads', 'member')
    const { page } = seen
    await rowOf(seen, 'Ben Baker').waitFor()
    const names = () => rows(seen).allInnerTexts()
    await page.getByRole('columnheader', { name: 'Person' }).getByRole('button').click()
    await page.waitForURL(/sort=name&direction=up/)
    await expect
      .poll(async () => (await names()).map((text) => text.match(/Ben|Cora|Sanne/)?.[0]))
      .toEqual(['Ben', 'Cora', 'Sanne'])
    await page.getByRole('columnheader', { name: 'Person' }).getByRole('button').click()
    await expect
      .poll(async () => (await names()).map((text) => text.match(/Ben|Cora|Sanne/)?.[0]))
      .toEqual(['Sanne', 'Cora', 'Ben'])
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Person' }).getAttribute('aria-sort'))
      .toBe('descending')
    await rowOf(seen, 'Sanne Sales').focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 leads chosen').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Ben Baker' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('dialog', { name: 'Cora Comment' }).getByText('What they did').waitFor()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Move Fit up' }).click()
    await page.getByRole('button', { name: 'Keep Person in view' }).click()
    await page.getByLabel('Width of Company').selectOption({ label: 'Wide' })
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.waitForURL(
      (url) => url.searchParams.get('columns') === '!person,company~320,engagement,fit,source,delivery,result,captured',
    )
    await page.reload()
    await rowOf(seen, 'Ben Baker').waitFor()
    const headers = await page.getByRole('columnheader').allInnerTexts()
    expect(headers.map((text) => text.replace(/\s*↓/, ''))).toEqual(
      expect.arrayContaining(['Person', 'Company', 'Engagement', 'Fit', 'Source', 'Webhook']),
    )
    expectNoComplaints(seen)
  })
})

describe('home', () => {
  it('ticks the first steps by what the team has, shows who is worth a look, and what the palette finds opens', async () => {
    const seen = await pages.signedIn(team, '/')
    const { page } = seen
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.getByText('1 lead captured in the last day fits your criteria.').waitFor()
    await page.getByRole('meter', { name: 'Done' }).waitFor()
    await page
      .getByText('Track a source: done')
      .or(page.getByRole('listitem').filter({ hasText: 'Track a source' }).getByText(': done'))
      .first()
      .waitFor({ state: 'attached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    const typed = page.getByRole('dialog').getByRole('combobox')
    // Actions for the typed text are always offered, whether or not something has that name.
    await typed.fill('zzqq')
    await page.getByRole('option', { name: 'Search posts for “zzqq” every day' }).waitFor()
    expect(await findings(page)).toEqual([])
    await typed.fill('track zzqq')
    await page.getByRole('option', { name: 'Track “zzqq”' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await expect.poll(() => typed.inputValue()).toBe('')
    await typed.fill('cora')
    await page.getByRole('option', { name: /Cora Comment/ }).waitFor()
    await page.getByRole('option', { name: 'Search posts for “cora” every day' }).waitFor()
    expect(await findings(page)).toEqual([])
    // Enter goes to the first search result although other lines matched before it arrived.
    await expect
      .poll(() => page.getByRole('option', { name: /Cora Comment/ }).getAttribute('aria-selected'))
      .toBe('true')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Cora Comment' }).waitFor()
    expectNoComplaints(seen)
  })
})

describe('the palette', () => {
  it('keeps what it found while more is asked about, and Enter goes to it', async () => {
    const seen = await pages.signedIn(team, '/')
    const { page } = seen
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // Requests for intermediate texts may be cancelled or never sent, depending on the typing speed.
    await page.route(/\/leads\?.*name=cora(?:\+|%20)(?:x|comment)/, async (route) => {
      if (route.request().url().includes('comment')) asked.resolve()
      await answered.promise
      await route.continue().catch(() => {})
    })
    await page.keyboard.press('/')
    const typed = page.getByRole('dialog').getByRole('combobox')
    const line = page.getByRole('option', { name: /^Cora Comment/ })
    await typed.fill('cora')
    await line.waitFor()
    await typed.fill('cora x')
    await line.waitFor({ state: 'detached' })
    await typed.fill('cora comment')
    await asked.promise
    await expect.poll(() => line.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Cora Comment' }).waitFor()
    answered.resolve()
    expectNoComplaints(seen)
  })
})

describe('companies in the palette', () => {
  it('are found by their leads, also when the source of these is stopped [FIX-12]', async () => {
    const team = await world.team({ credits: 5_000 })
    const { username } = await capture(world, team, fans(8, { company: 'Umbrella Weather Works' }))
    const { leads } = (await team.get('/leads')).body as { leads: { companyName: string | null }[] }
    const company = leads.find(({ companyName }) => companyName !== null)!.companyName!
    expect((await team.del(`/profile/${username}`)).status).toBe(200)
    const { page } = await pages.signedIn(team, '/')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByRole('combobox').fill(company)
    await page.getByRole('option', { name: new RegExp(`^${company}.*its leads`) }).waitFor()
  })
})
