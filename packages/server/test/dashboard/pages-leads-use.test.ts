import { describe, expect, it } from 'vitest'
import { capture, connect, handlesIn } from '../scenarios/outreach-stage.ts'
import { expectNoComplaints, findings, holdAsked, useWorldWithPages } from './browser.ts'
import { readCsv } from './csv.ts'
import { openStaged, pick, rowOf, staged } from './leads-stage.ts'

const { world, pages } = useWorldWithPages()
const stagedAt = openStaged(world, pages)

describe('keeping and taking along', () => {
  it('saves the filters as a view that a colleague opens, and remembers the chosen columns', async () => {
    const { team, seen } = await stagedAt('/leads?isIcp=true', 'member')
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
    // Follows the link as a download would, with the browser's cookie.
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
  it('is shown before the yes, can be undone from another page, and goes to the webhook of their source ten seconds after it', async () => {
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
    await dialog.getByRole('region', { name: 'What will be sent' }).getByText('Go now').waitFor()
    expect(await findings(seen.page)).toEqual([])
    // A live update reloads the preview; a click during that must not be lost.
    const again = await holdAsked(seen.page, '**/sends/preview')
    await team.put(`/profile/${source.username}/webhook`, { webhookUrl: inbox.url, autoSend: false, syncEvents: true })
    await again.asked
    await dialog.getByRole('button', { name: 'Send 2 leads' }).click()
    again.letGo()
    const sends = seen.page.getByRole('region', { name: 'Sends' })
    await sends.getByText('Sending 2 leads to').waitFor()
    // The send continues after the page is left.
    await seen.page.goto('/credits')
    await seen.page.getByRole('link', { name: 'Leads', exact: true }).focus()
    await sends.getByRole('button', { name: 'Undo' }).focus()
    await seen.page.keyboard.press('Enter')
    await sends.getByText('Undone: 2 leads').waitFor()
    // The focused button is gone; the focus must be close to its place, not at the top of the page.
    await expect.poll(() => seen.page.evaluate("document.activeElement?.closest('a, main') !== null")).toBe(true)
    await world.advance('1m')
    expect(inbox.received).toHaveLength(0)
    await seen.page.goto('/leads')
    await pick(seen, 'Sanne Sales')
    await seen.page.getByRole('button', { name: 'Choose all that match' }).click()
    await seen.page.getByText('All 3 leads that match are chosen').waitFor()
    await seen.page.getByRole('button', { name: 'Send to webhook' }).click()
    await dialog.getByRole('button', { name: 'Send 3 leads' }).click()
    await sends.getByText('Sending 3 leads to').waitFor()
    expect(await findings(seen.page)).toEqual([])
    await world.advance('10s')
    await sends.getByText('3 leads on the way to').waitFor()
    await world.drain()
    expect(inbox.received).toHaveLength(3)
    expectNoComplaints(seen)
  })

  it('goes to a campaign, counted in words, and nobody goes twice', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Spring' })
    const source = await staged(world, team)
    const seen = await pages.signedIn(team, '/leads', 'member')
    await pick(seen, 'Sanne Sales')
    await pick(seen, 'Cora Comment')
    const dialog = seen.page.getByRole('dialog', { name: 'Send to campaign' })
    await seen.page.getByRole('button', { name: 'Send to campaign' }).click()
    await dialog.getByLabel('Campaign').selectOption({ label: 'Spring' })
    await dialog.getByRole('button', { name: 'Send 2 people' }).click()
    await dialog.waitFor({ state: 'detached' })
    await world.advance('10s')
    await seen.page.getByText('2 people on the way to Spring').waitFor()
    await seen.page.getByRole('button', { name: 'Send to campaign' }).click()
    await dialog.getByLabel('Campaign').selectOption({ label: 'Spring' })
    await dialog.getByText('Sent to this campaign before').waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Send 0 people' }).isDisabled()).toBe(true)
    expect(handlesIn(world, key, campaignId)).toEqual([source.handles[0], source.handles[2]].sort())
    expectNoComplaints(seen)
  })

  it('is not offered to a viewer, who is told why; without a connection the way to make one is shown', async () => {
    const { team, seen: viewer } = await stagedAt('/leads', 'viewer')
    await pick(viewer, 'Ben Baker')
    await viewer.page.getByText('Only members may send leads; you are a viewer.').waitFor()
    await expect.poll(() => viewer.page.getByRole('button', { name: 'Send to campaign' }).isDisabled()).toBe(true)
    const member = await pages.signedIn(team, '/leads', 'member')
    await pick(member, 'Ben Baker')
    await member.page.getByRole('button', { name: 'Send to campaign' }).click()
    await member.page.getByRole('heading', { name: 'Outreach is not connected' }).waitFor()
    expectNoComplaints(member)
  })
})
