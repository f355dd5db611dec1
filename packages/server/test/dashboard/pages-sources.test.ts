import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { track } from '../world/tracking.ts'
import { expectNoComplaints, findings, holdAsked, useWorldWithPages } from './browser.ts'
import { nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

const row = (page: Awaited<ReturnType<typeof pages.signedIn>>['page'], name: string) =>
  page.getByRole('row').filter({ hasText: name })

describe('tracking', () => {
  it('shows what each pasted line names, tracks the known ones, and lists them', async () => {
    const team = await world.team({ credits: 1_000 })
    const [person, company] = [world.handle('person'), world.handle('company')]
    world.network.seedPerson({ handle: person, posts: [] })
    world.network.seedCompany({ slug: company, employees: 5 })
    const { page, complaints } = await pages.signedIn(team, '/sources')
    await page.getByRole('button', { name: 'Track a source' }).first().click()
    await page
      .getByLabel('Addresses or handles')
      .fill(
        `https://www.linkedin.com/in/${person}/\nhttps://www.linkedin.com/company/${company}\nurn:li:share:1\nhead of growth`,
      )
    const lines = page.getByRole('list', { name: 'What was pasted' })
    await lines.getByText('This is the address of a share').waitFor()
    await lines.getByText('make a keyword search').waitFor()
    await expect.poll(() => lines.getByText('New', { exact: true }).count()).toBe(2)
    const cost = page.getByRole('region', { name: 'What it costs' })
    await cost.getByText('At most 200 credits now, then up to 200 a day; you have 1,000.').waitFor()
    await cost.getByLabel('Most credits a sync, for each source').fill('30')
    await cost.getByText('At most 60 credits now, then up to 60 a day; you have 1,000.').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Track 2 sources' }).click()
    await lines.getByText('Tracked').nth(1).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await row(page, person).getByText('Person', { exact: true }).waitFor()
    for (const { creditCapPerSync } of (await team.get('/sources')).body.sources) expect(creditCapPerSync).toBe(30)
    await row(page, company).getByText('Company page').waitFor()
    await page.getByRole('button', { name: 'Track a source' }).first().click()
    await page.getByLabel('Addresses or handles').fill(company)
    await page.getByText('Already tracked').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Track', exact: true }).isDisabled()).toBe(true)
    expectNoComplaints({ complaints })
  })

  it('of posts only asks first, with the service’s figures; a no changes nothing, a yes goes ahead', async () => {
    const team = await world.team({ credits: 50 })
    const company = world.handle('company')
    world.network.seedCompany({ slug: company, employees: 5 })
    const { page } = await pages.signedIn(
      team,
      `/sources?track=true&lines=${encodeURIComponent(`https://www.linkedin.com/company/${company}`)}`,
    )
    await page.getByText('Settings for all of them').click()
    await page.getByLabel('What to capture').selectOption({ label: 'Only the posts, no people' })
    await page.getByLabel('Posts a sync').fill('5')
    await page.getByRole('button', { name: 'Track 1 source' }).click()
    const asked = page.getByRole('dialog', { name: 'This uses credits' })
    await asked.getByText('At most 5 credits a day; you have 50.').waitFor()
    await asked.getByText('At that rate your credits last 10 days.').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Waits for you to confirm').waitFor()
    expect((await team.get('/sources')).body.total).toBe(0)
    await page.getByRole('button', { name: 'Track 1 source' }).click()
    await asked.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.getByText('Tracked', { exact: true }).waitFor()
    expect((await team.get('/sources')).body.sources).toMatchObject([
      { username: company, mode: 'posts_only', postsPerSync: 5 },
    ])
  })

  it('is for members: a viewer finds the button, and is told why it does nothing', async () => {
    const { page } = await pages.signedIn(await world.team({ credits: 1_000 }), '/sources', 'viewer')
    const buttons = page.getByRole('button', { name: 'Track a source' })
    await expect.poll(() => buttons.count()).toBe(2)
    for (const button of await buttons.all()) {
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      await button.click({ force: true })
    }
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('ends with “Stop tracking”, which keeps the leads; “Undo” takes it back with its history', async () => {
    const team = await world.team({ credits: 1_000 })
    const { id, username } = await capture(world, team, fans(3))
    const { page } = await pages.signedIn(team, '/sources')
    await page.getByRole('button', { name: `Actions for ${nameOfPerson(world, username)}` }).click()
    await page.getByRole('menuitem', { name: 'Stop tracking' }).click()
    await page.getByText('Its leads stay').waitFor()
    await page.getByRole('button', { name: 'Stop tracking', exact: true }).click()
    await page.getByText('Track your first source').waitFor()
    await page.getByRole('tab', { name: 'Stopped' }).click()
    await row(page, username).getByText('Stopped', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(`Tracking ${nameOfPerson(world, username)} again`)
      .first()
      .waitFor()
    expect((await team.get('/sources')).body.sources).toMatchObject([{ id, status: 'active' }])
    await world.drain()
    expect((await team.get(`/leads?profileId=${id}`)).body.total).toBe(3)
  })
})

describe('team defaults', () => {
  it('are set on one page, shown where sources differ, applied to ticked ones after a preview, and used for new ones', async () => {
    const team = await world.team({ credits: 1_000, captureAllowed: false })
    const [first, second] = [world.handle('first'), world.handle('second')]
    for (const username of [first, second])
      await team.post('/enrich/profile', { username, saveTrackedProfile: true, creditCapPerSync: 100 })
    await world.drain()
    const { page, complaints } = await pages.signedIn(team, '/sources?tab=defaults')
    const set = async (part: string, of: string) => {
      await page.getByRole('button', { name: `Set a default: ${part}` }).click()
      await page.getByRole('menuitem', { name: of }).click()
    }
    await set('Cap', 'For all sources…')
    await page.getByLabel('Most credits a sync, for each source').fill('30')
    await page.getByRole('button', { name: 'Save default' }).click()
    await page.getByText('2 of 2 tracked sources differ from the defaults.').waitFor()
    await set('Webhook', 'For people…')
    await page.getByRole('button', { name: 'Save default' }).click()
    await page.getByText('Enter the address').waitFor()
    await page.getByLabel('Address', { exact: true }).fill('https://hooks.example.com/leads')
    await page.getByRole('button', { name: 'Save default' }).click()
    const differ = page.getByRole('list', { name: 'Sources that differ' })
    await expect.poll(() => differ.getByText('https://hooks.example.com/leads').count()).toBe(2)
    expect(await findings(page)).toEqual([])
    await page.getByRole('checkbox', { name: `Apply to ${second}` }).click()
    await page.getByRole('button', { name: 'Apply to 1 source…' }).click()
    const shown = page.getByRole('dialog', { name: 'Apply the team defaults' })
    await shown.getByText('Together they may cost at most 30 credits a day, compared with at most 100').waitFor()
    const again = await holdAsked(page, '**/defaults/preview')
    const third = world.handle('third')
    await team.post('/enrich/profile', { username: third, saveTrackedProfile: true, creditCapPerSync: 100 })
    await again.asked
    await shown.getByRole('button', { name: 'Change 1 source' }).click()
    again.letGo()
    await page.getByText('2 of 3 tracked sources differ from the defaults.').waitFor()
    const caps = (await team.get('/sources')).body.sources.map(
      (source: { username: string; creditCapPerSync: number }) => [source.username, source.creditCapPerSync],
    )
    expect(Object.fromEntries(caps)).toEqual({ [first]: 30, [second]: 100, [third]: 100 })
    await page.getByRole('button', { name: 'Track a source' }).first().click()
    await page.getByLabel('Addresses or handles').fill(world.handle('fourth'))
    const cost = page.getByRole('region', { name: 'What it costs' })
    await cost.getByText('At most 30 credits now').waitFor()
    await page.getByRole('region', { name: 'Team defaults' }).getByText('Webhook: https://hooks.example.com').waitFor()
    expectNoComplaints({ complaints })
  })
})

it('seven tabs are live at once over one stream, which passes on when its tab is closed [FIX-10]', async () => {
  const team = await world.team({ credits: 1_000 })
  const { page: first, context } = await pages.signedIn(team, '/sources')
  const streams: Page[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.frame().page())
  })
  await first.reload()
  await expect.poll(() => streams.length).toBe(1)
  const tabs = [first]
  for (let count = 1; count < 7; count++) {
    const tab = await context.newPage()
    // Without sharing, the seventh tab would wait here: a browser opens six connections to a host.
    await tab.goto('/sources')
    await tab.getByRole('heading', { name: 'Sources' }).first().waitFor()
    tabs.push(tab)
  }
  expect(streams).toEqual([first])

  const tracked = async (): Promise<string> => {
    const handle = world.handle('person')
    world.network.seedPerson({ handle, posts: [] })
    await track(team, handle)
    return handle
  }
  const everyTabShows = (handle: string) =>
    Promise.all(tabs.map((tab) => tab.getByRole('row').filter({ hasText: handle }).waitFor()))
  await everyTabShows(await tracked())

  await tabs.shift()!.close()
  await expect.poll(() => streams.length).toBe(2)
  await everyTabShows(await tracked())
  expect(streams.length).toBe(2)
})
