/** The main way through the dashboard without a mouse: sign in, track somebody, watch leads come, open one. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { memberOf } from './stage.ts'

const { world, pages } = useWorldWithPages()

/** Presses Tab until something has the focus; fails when it cannot be reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let press = 0; press < 80; press++) {
    if (
      await target.evaluate(
        (element) => element === (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
      )
    )
      return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab never reaches it')
}

/** Goes to a page by the palette. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

describe('with the keyboard alone', { timeout: 90_000 }, () => {
  it('somebody signs in, skips the navigation, tracks a person, sees the leads arrive, opens one and signs out', async () => {
    const team = await world.team({ credits: 1_000 })
    const { email, password } = await memberOf(world, team, 'owner')
    const author = world.handle('author')
    const fan = world.handle('fan')
    world.network.seedPerson({ handle: fan, name: 'Keyla Board' })
    world.network.seedPost({ author, reactions: [{ person: fan }], comments: [] })

    const visit = await pages.stranger('/leads')
    const { page } = visit
    await tabTo(page, page.getByLabel('Email'))
    await page.keyboard.type(email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
    const cookies = await visit.context.cookies()
    expect(
      cookies.map(({ name, httpOnly, secure, sameSite, path }) => ({ name, httpOnly, secure, sameSite, path })),
    ).toContainEqual({ name: '__Host-les.session_token', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })

    await page.reload()
    await tabTo(page, page.getByRole('link', { name: /skip/i }))
    await page.keyboard.press('Enter')
    await goTo(page, 'Sources')
    await tabTo(page, page.getByRole('button', { name: 'Track a source' }).first())
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Addresses or handles'))
    await page.keyboard.type(`https://www.linkedin.com/in/${author}/`)
    const track = page.getByRole('button', { name: 'Track 1 source' })
    await tabTo(page, track)
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: author }).waitFor()

    await goTo(page, 'Leads')
    await world.drain()
    const lead = page.getByRole('row').filter({ hasText: 'Keyla Board' })
    await tabTo(page, lead)
    await page.keyboard.press('Enter')
    const detail = page.getByRole('dialog', { name: 'Keyla Board' })
    await detail.getByText('What they did').waitFor()
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await tabTo(page, page.getByRole('button', { name: /^Account/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.keyboard.type('Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor()
    expectNoComplaints(visit)
  })
})
