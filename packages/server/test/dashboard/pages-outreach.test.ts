import { describe, expect, it } from 'vitest'
import { capture, connect, handlesIn, seedCampaign } from '../scenarios/outreach-stage.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

describe('outreach', () => {
  it('without a key says where to store it', async () => {
    const team = await world.team()
    const { page, complaints } = await pages.signedIn(team, '/outreach')
    await page.getByText('Not connected').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Store the key' }).getAttribute('href'))
      .toMatch(/^\/settings\?tab=credentials/)
    expectNoComplaints({ complaints })
  })

  it('sends the leads of a source that match, past ones too when asked, and counts them by campaign', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Autumn founders' }, { credits: 1_000 })
    seedCampaign(world, key, { name: 'Winter', status: 'DRAFT' })
    const { id, handles, username } = await capture(world, team, [{ title: 'Head of Growth' }, { title: 'Engineer' }])
    const { page, complaints } = await pages.signedIn(team, `/sources/${id}?tab=outreach`, 'member')
    await expect
      .poll(() => page.getByLabel('Campaign').getByRole('option', { name: 'Winter (still a draft)' }).isDisabled())
      .toBe(true)
    await page.getByLabel('Campaign').selectOption({ label: 'Autumn founders' })
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.getByLabel('Value of row 1').fill('growth')
    await page.getByRole('checkbox', { name: /Also send leads captured before/ }).click()
    await page.getByRole('button', { name: 'Start sending' }).click()
    await page.getByText('1 match and 1 will be sent').waitFor()
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
    await page.goto('/outreach')
    const results = page.getByRole('grid', { name: 'Results by campaign' })
    await results.getByText('Autumn founders').waitFor()
    await expect.poll(() => results.getByRole('row').nth(1).getByRole('gridcell').nth(1).innerText()).toBe('1')
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByRole('link', { name: nameOfPerson(world, username) }).waitFor()
    await page.getByText('Only if Job title contains "growth"').waitFor()
    expectNoComplaints({ complaints })
  })
})
