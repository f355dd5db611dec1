/** The page "Leads" in a real browser: what a person does there, and what they see. */
import { describe, expect, it } from 'vitest'
import { capture, connect, handlesIn } from '../scenarios/outreach-stage.ts'
import type { Team } from '../world/world.ts'
import { expectNoComplaints, findings, useWorldWithPages, type SignedIn } from './browser.ts'
import { readCsv } from './csv.ts'

const { world, pages } = useWorldWithPages()

const rows = ({ page }: Pick<SignedIn, 'page'>) => page.getByRole('grid').getByRole('row').filter({ has: page.getByRole('gridcell') })
const rowOf = (seen: Pick<SignedIn, 'page'>, name: string) => rows(seen).filter({ hasText: name })
const pick = async ({ page }: Pick<SignedIn, 'page'>, name: string) => page.getByRole('checkbox', { name: `Choose ${name}` }).click()

/** A team with three people under one source, one of whom fits. */
async function staged(team: Team) {
  const source = await capture(world, team, [
    { name: 'Sanne Sales', title: 'Head of Sales', country: 'NL' },
    { name: 'Ben Baker', title: 'Baker', country: 'DE' },
    { name: 'Cora Comment', title: 'Sales Manager', country: 'FR', comment: 'We do the same' },
  ])
  expect((await team.put(`/profile/${source.username}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'head of' }] })).status).toBe(200)
  return source
}

describe('the list of leads', () => {
  it('says what to do while there is nothing, and fills by itself once a source captures [DSH-03]', async () => {
    const team = await world.team({ credits: 5_000 })
    const seen = await pages.signedIn(team, '/')
    await seen.page.getByRole('heading', { name: 'Nobody is watched yet' }).waitFor()
    expect(await seen.page.getByRole('link', { name: 'Track a source' }).getAttribute('href')).toContain('/sources')
    await staged(team)
    await rowOf(seen, 'Sanne Sales').waitFor()
    expect(await rows(seen).count()).toBe(3)
    expectNoComplaints(seen)
  })

  it('opens a lead by the keyboard at an address of its own: who it is, fit and why, what they did, why it was not delivered', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await staged(team)
    const seen = await pages.signedIn(team, '/leads', 'viewer')
    await rowOf(seen, 'Sanne Sales').focus()
    await seen.page.keyboard.press('Enter')
    const detail = seen.page.getByRole('dialog', { name: 'Sanne Sales' })
    await detail.getByText('Job title contains “head of”').waitFor()
    expect(seen.page.url()).toContain('lead=')
    const text = await detail.innerText()
    expect(text).toContain('Netherlands')
    expect(text).toContain('Cost the credit')
    expect(text).toContain(source.username)
    expect(text).toContain('Why it was not delivered')
    expect(await findings(seen.page)).toEqual([])
    await seen.page.reload()
    await detail.getByText('What they did').waitFor()
    await seen.page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    expect(seen.page.url()).not.toContain('lead=')
    expectNoComplaints(seen)
  })

  it('shows what strangers wrote as text, whatever it is, in the list and in the detail', async () => {
    const team = await world.team({ credits: 5_000 })
    const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    await capture(world, team, [{ name: `Eve ${hostile}`, title: hostile, comment: `Comment ${hostile}` }])
    const seen = await pages.signedIn(team, '/leads')
    await rowOf(seen, 'Eve <img').click()
    await seen.page.getByRole('dialog').getByText('Comment <img').waitFor()
    expect(await seen.page.locator('img[src=x]').count()).toBe(0)
    expect(await seen.page.title()).toBe('Leads · Lead Engagement Service')
    expectNoComplaints(seen)
  })

  it('keeps its filters in the address: they survive a reload, Back takes the last one off, and a chip takes one off', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const seen = await pages.signedIn(team, '/leads')
    const { page } = seen
    await rowOf(seen, 'Ben Baker').waitFor()
    await page.getByLabel('Fit', { exact: true }).selectOption('false')
    await rowOf(seen, 'Sanne Sales').waitFor({ state: 'detached' })
    await page.getByLabel('Search by name').fill('cora')
    await rowOf(seen, 'Ben Baker').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?isIcp=false&name=cora')
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

  it('says in words what is wrong with filters that contradict each other, and mends it at a press', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await staged(team)
    const seen = await pages.signedIn(team, `/leads?username=${source.username}&sourceKind=post`)
    await seen.page.getByText('One source has one kind: choose a source or a kind, not both.').waitFor()
    await seen.page.getByRole('button', { name: 'Drop the kind' }).click()
    await rowOf(seen, 'Sanne Sales').waitFor()
    expect(new URL(seen.page.url()).search).toBe(`?username=${source.username}`)
    expectNoComplaints(seen)
  })

  it('shows each person once on the list of people, and raw leads apart with what that means', async () => {
    const team = await world.team({ credits: 5_000 })
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan, name: 'Twice Seen' }])
    await capture(world, team, [{ handle: fan, name: 'Twice Seen', comment: 'Again' }])
    await capture(world, team, [{ name: 'Rita Raw' }], { settings: { enrichLeads: false } })
    const seen = await pages.signedIn(team, '/leads?tab=engagers')
    await rowOf(seen, 'Twice Seen').waitFor()
    expect(await rows(seen).count()).toBe(1)
    await seen.page.getByRole('tab', { name: 'Raw leads' }).click()
    await rowOf(seen, 'Rita Raw').waitFor()
    await seen.page.getByText('are never sent to a webhook or a campaign').waitFor()
    expectNoComplaints(seen)
  })
})

describe('keeping and taking along', () => {
  it('saves the filters as a view that a colleague opens, and remembers the chosen columns', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const seen = await pages.signedIn(team, '/leads?isIcp=true', 'member')
    await rowOf(seen, 'Sanne Sales').waitFor()
    await seen.page.getByRole('button', { name: 'Views' }).click()
    await seen.page.getByRole('menuitem', { name: 'Save this view…' }).click()
    await seen.page.getByLabel('Name', { exact: true }).fill('Those who fit')
    await seen.page.keyboard.press('Enter')
    await seen.page.getByRole('button', { name: 'Those who fit' }).waitFor()
    await seen.page.getByRole('button', { name: 'Columns' }).click()
    await seen.page.getByRole('checkbox', { name: 'Country' }).click()
    await seen.page.getByRole('button', { name: 'Done' }).click()
    await seen.page.reload()
    await seen.page.getByRole('columnheader', { name: 'Country' }).waitFor()
    const colleague = await pages.signedIn(team, '/leads', 'viewer')
    await rowOf(colleague, 'Ben Baker').waitFor()
    await colleague.page.getByRole('button', { name: 'Views' }).click()
    await colleague.page.getByRole('menuitem', { name: 'Those who fit' }).click()
    await rowOf(colleague, 'Ben Baker').waitFor({ state: 'detached' })
    expect(new URL(colleague.page.url()).search).toBe('?isIcp=true')
    expectNoComplaints(seen)
  })

  it('downloads as CSV exactly what the filters choose', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const seen = await pages.signedIn(team, '/leads?jobTitle=sales', 'viewer')
    await rowOf(seen, 'Sanne Sales').waitFor()
    // The link leads where the browser would download from, with its cookie.
    const address = await seen.page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    const { text, status } = await seen.member.send('GET', address!)
    expect(status).toBe(200)
    expect(readCsv(text).map((row) => row.name).sort()).toEqual(['Cora Comment', 'Sanne Sales'])
  })
})

describe('sending chosen leads', () => {
  it('goes to the webhook of their source, and shows how it went', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await staged(team)
    const inbox = await world.inbox()
    expect((await team.put(`/profile/${source.username}/webhook`, { webhookUrl: inbox.url, autoSend: false })).status).toBe(200)
    const seen = await pages.signedIn(team, '/leads', 'member')
    await pick(seen, 'Sanne Sales')
    await pick(seen, 'Ben Baker')
    await seen.page.getByText('2 leads chosen').waitFor()
    await seen.page.getByRole('button', { name: 'Send to webhook' }).click()
    const dialog = seen.page.getByRole('dialog', { name: 'Send to webhook' })
    await dialog.getByRole('button', { name: 'Send 2 leads' }).click()
    await dialog.getByText('of 2 delivered').waitFor()
    await world.drain()
    await dialog.getByText('2 of 2 delivered').waitFor()
    expect(inbox.received).toHaveLength(2)
    expectNoComplaints(seen)
  })

  it('says of a source without a webhook what to do', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const seen = await pages.signedIn(team, '/leads', 'member')
    await pick(seen, 'Ben Baker')
    await seen.page.getByRole('button', { name: 'Send to webhook' }).click()
    await seen.page.getByRole('button', { name: 'Send 1 lead', exact: true }).click()
    await seen.page.getByText('This source has no webhook yet.').waitFor()
    expectNoComplaints(seen)
  })

  it('goes to a campaign, counted in words, and nobody goes twice', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Spring' })
    const source = await staged(team)
    const seen = await pages.signedIn(team, '/leads', 'member')
    await pick(seen, 'Sanne Sales')
    await pick(seen, 'Cora Comment')
    for (const outcome of ['2 people added to the campaign.', '2 people not sent again: sent to this campaign before.']) {
      await seen.page.getByRole('button', { name: 'Send to campaign' }).click()
      const dialog = seen.page.getByRole('dialog', { name: 'Send to campaign' })
      await dialog.getByLabel('Campaign').selectOption({ label: 'Spring' })
      await dialog.getByRole('button', { name: 'Send 2 people' }).click()
      await dialog.getByText(outcome).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
    }
    expect(handlesIn(world, key, campaignId)).toEqual([source.handles[0], source.handles[2]].sort())
    expectNoComplaints(seen)
  })

  it('is not offered to a viewer, who is told why; without a connection the way to make one is shown', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const viewer = await pages.signedIn(team, '/leads', 'viewer')
    await pick(viewer, 'Ben Baker')
    await viewer.page.getByText('Only members may send leads; you are a viewer.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Send to campaign' }).isDisabled()).toBe(true)
    const member = await pages.signedIn(team, '/leads', 'member')
    await pick(member, 'Ben Baker')
    await member.page.getByRole('button', { name: 'Send to campaign' }).click()
    await member.page.getByRole('heading', { name: 'Outreach is not connected' }).waitFor()
    expectNoComplaints(member)
  })
})

describe('the looks of the list', () => {
  it.each(['light', 'dark'] as const)('has nothing that axe finds serious, full of rows and with some chosen, in %s', async (theme) => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const seen = await pages.signedIn(team, '/leads?isIcp=false', 'owner', { theme })
    await pick(seen, 'Ben Baker')
    expect(await findings(seen.page)).toEqual([])
    await seen.page.getByRole('button', { name: 'All filters' }).click()
    await seen.page.getByLabel('Job title').waitFor()
    expect(await findings(seen.page)).toEqual([])
    expectNoComplaints(seen)
  })

  it('fits a phone, where all filters are one press away', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(team)
    const seen = await pages.signedIn(team, '/leads', 'owner', { width: 375, height: 740 })
    await rowOf(seen, 'Sanne Sales').waitFor()
    await seen.page.getByRole('button', { name: 'All filters' }).click()
    await seen.page.getByLabel('Fit', { exact: true }).last().selectOption('true')
    await seen.page.getByRole('button', { name: 'Show the list' }).click()
    await rowOf(seen, 'Ben Baker').waitFor({ state: 'detached' })
    expect(await seen.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
    expectNoComplaints(seen)
  })
})
