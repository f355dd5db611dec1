import { describe, expect, it } from 'vitest'
import { addDestination, slackAddress, slackDestination } from '../destinations/stage.ts'
import { record, sent, urlOf } from '../results/stage.ts'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { expectFit, expectNoComplaints, findings, useWorldWithPages } from './browser.ts'
import { rowOf } from './leads-stage.ts'

const { world, pages } = useWorldWithPages()

describe('destinations', () => {
  it('are connected step by step: checked, who goes, a test lead, what will be sent, and only then started [DST-01, DST-03, DST-04]', async () => {
    const team = await world.team({ credits: 5_000 })
    await capture(world, team, fans(2))
    const seen = await pages.signedIn(team, '/destinations', 'member')
    const { page } = seen
    await page.getByRole('heading', { name: 'No destination yet' }).waitFor()
    await expectFit(seen)
    await page.getByRole('link', { name: 'Connect' }).first().click()
    await expect
      .poll(() => page.getByRole('list', { name: 'Kinds of destination' }).getByRole('listitem').count())
      .toBe(7)
    await page.getByRole('button', { name: 'Connect Slack' }).click()
    await page.getByLabel('Webhook address').fill(slackAddress('revoked').webhookUrl)
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByRole('alert').waitFor()
    expect((await team.get('/destinations')).body.destinations).toEqual([])
    await expectFit(seen)
    const { webhookUrl, path } = slackAddress()
    await page.getByLabel('Webhook address').fill(webhookUrl)
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByRole('switch', { name: 'Only people who fit' }).waitFor()
    expect((await team.get('/destinations')).body.destinations).toMatchObject([{ active: false, kind: 'slack' }])
    await expectFit(seen)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send a test lead' }).click()
    await page.getByText('It arrived').waitFor()
    await expectFit(seen)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('2 leads will be sent, of 2 leads captured so far.').waitFor()
    await expectFit(seen)
    await page.getByRole('checkbox', { name: 'Also send people captured before, once' }).click()
    await page.getByRole('button', { name: 'Start delivering' }).click()
    const log = page.getByRole('grid', { name: 'Deliveries' })
    await log.getByRole('row').nth(2).waitFor()
    await world.drain()
    await page.reload()
    await expect.poll(() => log.getByText('Delivered', { exact: true }).count()).toBe(2)
    expect(world.network.twins.slack.view(path).messages.length).toBeGreaterThan(1)
    await page.getByLabel('State').selectOption({ label: 'Refused' })
    await page.getByRole('heading', { name: 'No delivery is in this state' }).waitFor()
    expectNoComplaints(seen)
  })

  it('have a log that names the field of what was refused, where it can be sent again [DST-05, DST-08]', async () => {
    const team = await world.team({ credits: 5_000 })
    const destination = await addDestination(team, {
      kind: 'hubspot',
      name: 'CRM',
      settings: {},
      credentials: { accessToken: `pat-eu1-${world.handle('refuses')}` },
      mapping: [{ field: 'email', from: 'jobTitle', mode: 'always' }],
    })
    await capture(world, team, fans(1, { title: 'nobody at example' }))
    await world.drain()
    const seen = await pages.signedIn(team, `/destinations/${destination.id}?state=refused`, 'member')
    const { page } = seen
    const log = page.getByRole('grid', { name: 'Deliveries' })
    await log.locator('code', { hasText: 'email' }).waitFor()
    await expectFit(seen)
    expect((await team.call('PATCH', `/destinations/${destination.id}`, { mapping: [] })).status).toBe(200)
    await log.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It is being sent again').waitFor()
    await world.drain()
    await page.goto(`/destinations/${destination.id}?state=delivered`)
    await log.getByRole('link', { name: /^Open there/ }).waitFor()
    expectNoComplaints(seen)
  })

  it('that are paused say why and have one button that mends it; others are paused and deleted [DST-02, DST-09]', async () => {
    const team = await world.team({ credits: 5_000 })
    const { destination, path } = await slackDestination(world, team)
    world.network.twins.slack.change(path, { revoked: true })
    await capture(world, team, fans(1))
    await world.drain()
    const seen = await pages.signedIn(team, '/destinations', 'member')
    const { page } = seen
    const grid = page.getByRole('grid', { name: 'Destinations' })
    await grid.getByText('The platform refused the credentials.').waitFor()
    await expectFit(seen)
    await grid.getByRole('button', { name: 'Store new credentials' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Webhook address').fill(slackAddress().webhookUrl)
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Check, store and resume' }).click()
    await grid.getByText('Delivers', { exact: true }).waitFor()
    await world.drain()
    expect((await team.get(`/destinations/${destination.id}`)).body.counts).toMatchObject({ delivered: 1, waiting: 0 })
    await grid.getByRole('link', { name: 'Sales channel' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Somebody paused it.').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Check the connection' }).click()
    await page.getByText(/^Connected as/).waitFor()
    await expectFit(seen)
    await page.getByRole('button', { name: 'Delete this destination' }).click()
    await dialog.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('heading', { name: 'No destination yet' }).waitFor()
    expectNoComplaints(seen)
  })
})

describe('results', () => {
  it('are a funnel and costs, recorded by hand at a lead, with the address for the outreach platform [RSL-01, RSL-02, RSL-03, RSL-04]', async () => {
    const { team, resultsUrl } = await sent(
      world,
      fans(3, { title: 'Head of Growth' }).map((fan, at) => ({ ...fan, name: `Fan ${at}` })),
    )
    const seen = await pages.signedIn(team, '/leads', 'member')
    const { page } = seen
    await rowOf(seen, 'Fan 0').getByText('Fan 0', { exact: true }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Record a result' }).click()
    const form = page.getByRole('dialog', { name: /^Record a result of/ })
    await form.getByLabel('What came of it').selectOption({ label: 'Meeting' })
    expect(await findings(page)).toEqual([])
    await form.getByRole('button', { name: 'Record', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await drawer.getByRole('region', { name: 'Results' }).getByText('Meeting', { exact: true }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await rowOf(seen, 'Fan 0').getByText('Meeting', { exact: true }).waitFor()
    await page.goto('/results')
    await page.getByRole('heading', { name: 'From captured to won' }).waitFor()
    await page
      .getByRole('img', { name: /^Credits for each person who replied/ })
      .or(page.getByText('Nobody has replied yet'))
      .first()
      .waitFor()
    await expectFit(seen)
    await page.getByRole('tab', { name: 'Figures' }).click()
    await page.getByRole('grid', { name: 'Results' }).getByRole('row').nth(1).waitFor()
    await page.getByLabel('By').selectOption({ label: 'Criteria' })
    await expectFit(seen)
    await page.goto('/outreach')
    await expect.poll(() => page.getByLabel('Address for results').inputValue()).toBe(resultsUrl)
    await page.getByRole('button', { name: 'Replace the address' }).click()
    await page.getByRole('button', { name: 'Make a new address' }).click()
    await expect.poll(() => page.getByLabel('Address for results').inputValue()).not.toBe(resultsUrl)
    expectNoComplaints(seen)
  })

  it('propose criteria with their numbers, which open at a source and save nothing [RSL-07]', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await capture(world, team, [
      ...Array.from({ length: 20 }, () => ({ title: 'Head of Growth', country: 'DE' })),
      ...Array.from({ length: 35 }, () => ({ title: 'Accountant', country: 'FR' })),
    ])
    await record(
      team,
      ...source.handles.map((one) => ({ profileUrl: urlOf(one), outcome: 'sent' })),
      ...source.handles.slice(0, 12).map((one) => ({ profileUrl: urlOf(one), outcome: 'replied' })),
    )
    const seen = await pages.signedIn(team, '/results', 'member')
    const { page } = seen
    await page.getByText('Show as a table').click()
    await page.getByRole('table', { name: /^Credits for each person who replied/ }).waitFor()
    await page.getByRole('tab', { name: 'Suggestions' }).click()
    await page
      .getByText(/^Back-test: it would have kept 20 of 55 people and 12 of 12 replies/)
      .first()
      .waitFor()
    await expectFit(seen)
    await page.getByRole('link', { name: 'Try as a criterion: Job title contains "growth"' }).click()
    await expect.poll(() => page.getByLabel('Value of row 1').inputValue()).toBe('growth')
    expect((await team.get(`/sources/${source.id}/icp`)).body.rules).toEqual([])
    expectNoComplaints(seen)
  })
})

it('a file of leads is made in the background and shown until it is done, also after a reload [DST-17]', async () => {
  const team = await world.team({ credits: 5_000 })
  await capture(world, team, fans(2))
  const seen = await pages.signedIn(team, '/leads', 'member')
  const { page } = seen
  await page.getByRole('button', { name: 'Make a file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a file of leads' })
  await dialog.getByLabel('Columns').selectOption({ label: 'HubSpot import' })
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make the file' }).click()
  await dialog.waitFor({ state: 'detached' })
  await world.drain()
  await page.reload()
  await page.getByText('The file is ready: 2 rows').waitFor()
  const url = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
  expect((await fetch(url!)).status).toBe(200)
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('The file is ready').waitFor({ state: 'detached' })
  expectNoComplaints(seen)
})
