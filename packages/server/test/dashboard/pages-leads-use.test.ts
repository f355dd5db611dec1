/** The page "Leads" in a real browser: keeping views, exporting, and sending chosen leads. */
import { describe, expect, it } from 'vitest'
import { capture, connect, handlesIn } from '../scenarios/outreach-stage.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { readCsv } from './csv.ts'
import { pick, rowOf, staged } from './leads-stage.ts'

const { world, pages } = useWorldWithPages()

describe('keeping and taking along', () => {
  it('saves the filters as a view that a colleague opens, and remembers the chosen columns', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(world, team)
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

  it('downloads as CSV exactly what the filters choose, and no raw lead [DSH-05]', async () => {
    const team = await world.team({ credits: 5_000 })
    await staged(world, team)
    await capture(world, team, [{ name: 'Rita Raw', title: 'Sales Manager' }], { settings: { enrichLeads: false } })
    const seen = await pages.signedIn(team, '/leads?jobTitle=sales', 'viewer')
    await rowOf(seen, 'Sanne Sales').waitFor()
    // The link leads where the browser would download from, with its cookie.
    const address = await seen.page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    const { text, status } = await seen.member.send('GET', address!)
    expect(status).toBe(200)
    expect(
      readCsv(text)
        .map((row) => row.name)
        .sort(),
    ).toEqual(['Cora Comment', 'Sanne Sales'])
  })
})

describe('sending chosen leads', () => {
  it('goes to the webhook of their source, and shows how it went', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await staged(world, team)
    const inbox = await world.inbox()
    expect(
      (await team.put(`/profile/${source.username}/webhook`, { webhookUrl: inbox.url, autoSend: false })).status,
    ).toBe(200)
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
    await staged(world, team)
    const seen = await pages.signedIn(team, '/leads', 'member')
    await pick(seen, 'Ben Baker')
    await seen.page.getByRole('button', { name: 'Send to webhook' }).click()
    await seen.page.getByRole('button', { name: 'Send 1 lead', exact: true }).click()
    await seen.page.getByText('This source has no webhook yet.').waitFor()
    expectNoComplaints(seen)
  })

  it('goes to a campaign, counted in words, and nobody goes twice', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Spring' })
    const source = await staged(world, team)
    const seen = await pages.signedIn(team, '/leads', 'member')
    await pick(seen, 'Sanne Sales')
    await pick(seen, 'Cora Comment')
    for (const outcome of [
      '2 people added to the campaign.',
      '2 people not sent again: sent to this campaign before.',
    ]) {
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
    await staged(world, team)
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
