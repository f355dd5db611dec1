import { describe, expect, it } from 'vitest'
import { capture, fans, ok } from '../scenarios/outreach-stage.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

describe('a source', () => {
  it('syncs at a click, shows how far it has come while it runs, and why it stopped', async () => {
    const team = await world.team({ credits: 1_000 })
    const { id, username } = await capture(world, team, fans(2))
    await world.advance('2h')
    const { page, complaints } = await pages.signedIn(team, `/sources/${id}`)
    await page.getByText(nameOfPerson(world, username), { exact: true }).first().waitFor()
    world.network.seedPost({
      author: username,
      reactions: Array.from({ length: 3 }, () => ({ person: world.handle('fan') })),
      comments: [],
    })
    world.network.hold({ operation: 'post-reactions' })
    await page.getByRole('button', { name: 'Sync now' }).click()
    const asked = page.getByRole('dialog', { name: `Sync ${nameOfPerson(world, username)} now?` })
    await asked.getByText('No limit is set: it can use all your credits; you have 998.').waitFor()
    await asked.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('The sync has begun').first().waitFor()
    await page.getByRole('heading', { name: 'Sync under way' }).waitFor()
    await page.getByRole('meter', { name: 'Posts' }).waitFor()
    await page.getByRole('button', { name: 'Sync now', disabled: true }).waitFor()
    world.network.release()
    await world.drain()
    await page.getByRole('heading', { name: 'Sync under way' }).waitFor({ state: 'detached' })
    await page.getByRole('grid', { name: 'Runs' }).getByText('By hand').waitFor()
    await page.getByText('Finished: everybody found was captured').first().waitFor()
    expectNoComplaints({ complaints })
  })

  it('has criteria that are tried on stored leads before they are saved', async () => {
    const team = await world.team({ credits: 1_000 })
    const { id } = await capture(world, team, [
      { name: 'Ann Able', title: 'Head of Growth' },
      ...fans(3, { title: 'Engineer' }),
    ])
    const { page } = await pages.signedIn(team, '/home')
    await page.getByText('Nothing says who fits yet').waitFor()
    await page.getByText('4 leads captured so far are judged at once, at no cost').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Set criteria' }).first().click()
    await page.waitForURL(`**/sources/${id}?tab=fit`)
    await page.getByRole('button', { name: 'Add a criterion' }).click()
    await page.getByRole('button', { name: 'Try on stored leads' }).click()
    await page.getByText('Enter a value').waitFor()
    await page.getByLabel('Value of row 1').fill('growth')
    await page.getByRole('button', { name: 'Try on stored leads' }).click()
    const result = page.getByRole('region', { name: 'Result of the trial' })
    await result.getByText('1 person of 4 would fit (25%); nobody is judged now').waitFor()
    await result.getByRole('tab', { name: 'Gained (1)' }).waitFor()
    await result.getByText('Ann Able').waitFor()
    expect((await ok(team.get(`/sources/${id}/icp`))).rules).toEqual([])
    await page.getByRole('button', { name: 'Save criteria' }).click()
    await page.getByText('4 leads were judged again.').waitFor()
    expect((await ok(team.get(`/sources/${id}/icp`))).rules).toEqual([
      { column: 'jobTitle', operator: 'contains', value: 'growth' },
    ])
  })

  it('has the tabs that its kind has something in; an address with another shows its runs', async () => {
    const team = await world.team({ credits: 1_000 })
    const { id } = await capture(world, team, fans(1))
    const { page, complaints } = await pages.signedIn(team, '/sources', 'viewer')
    for (const tab of ['posts', 'nonsense']) {
      await page.goto(`/sources/${id}?tab=${tab}`)
      await page.getByRole('grid', { name: 'Runs' }).waitFor()
      const tabs = await page.getByRole('tab').allInnerTexts()
      expect(tabs).toEqual(['Runs', 'Settings', 'Who fits', 'Webhook', 'Outreach', 'Coverage'])
      await expect.poll(() => page.getByRole('tab', { name: 'Runs' }).getAttribute('aria-selected')).toBe('true')
    }
    expectNoComplaints({ complaints })
  })

  it('tells a viewer why nothing can be changed, and by finger too', async () => {
    const team = await world.team({ credits: 1_000 })
    const { id } = await capture(world, team, fans(1))
    const { page } = await pages.signedIn(team, `/sources/${id}?tab=settings`, 'viewer', {
      touch: true,
      width: 375,
      height: 800,
    })
    await page.getByText('Only members may change settings.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await expect
      .poll(() => page.getByRole('button', { name: 'Sync now' }).getAttribute('data-tip'))
      .toBe('Only members may start a sync')
    await page.getByRole('button', { name: 'Sync now' }).tap({ force: true })
    await page.getByRole('tooltip').filter({ hasText: 'Only members may start a sync' }).waitFor()
    await page.getByRole('heading', { level: 1 }).tap()
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await page.getByRole('main').locator('time').first().tap()
    await page.getByRole('tooltip').filter({ hasText: 'Europe/Berlin' }).waitFor()
    await page.getByRole('tab', { name: 'Webhook' }).click()
    await page.getByText('Only members may see where leads are delivered').waitFor()
    await page.getByRole('tab', { name: 'Who fits' }).click()
    await page.getByRole('button', { name: 'Add a criterion' }).click()
    const save = page.getByRole('button', { name: 'Save criteria' })
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    await save.focus()
    await page.getByText('Only members and owners of the team may do this.').first().waitFor()
  })
})
