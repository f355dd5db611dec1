/** Whole jobs by keyboard: the focus is never lost or invisible and returns from dialogs. */
import { describe, expect, it } from 'vitest'
import type { Captured } from '../scenarios/outreach-stage.ts'
import type { Team } from '../world/world.ts'
import { crowdedGrids, expectNoComplaints, findings, useWorldWithPages, type SignedIn } from './browser.ts'
import { Keyboard } from './keyboard.ts'
import { rowOf, staged } from './leads-stage.ts'
import { memberOf } from './stage.ts'

const { world, pages } = useWorldWithPages()

async function withLeads(): Promise<{ team: Team; source: Captured; inbox: Awaited<ReturnType<typeof world.inbox>> }> {
  const team = await world.team({ credits: 5_000 })
  const [source, inbox] = [await staged(world, team), await world.inbox()]
  const set = await team.put(`/profile/${source.username}/webhook`, { webhookUrl: inbox.url, autoSend: false })
  expect(set.status).toBe(200)
  return { team, source, inbox }
}

type Work = (keyboard: Keyboard, seen: SignedIn) => Promise<void>

async function job(team: Team, work: Work): Promise<void> {
  const seen = await pages.signedIn(team, '/leads', 'owner')
  const keyboard = new Keyboard(seen.page)
  await seen.page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
  await seen.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await work(keyboard, seen)
  expectNoComplaints(seen)
}

describe('with the keyboard alone', { timeout: 120_000 }, () => {
  it('somebody signs in, skips the navigation, and signs out', async () => {
    const team = await world.team({ credits: 1_000 })
    const { email, password } = await memberOf(world, team, 'owner')
    const visit = await pages.stranger('/leads')
    const { page } = visit
    const keyboard = new Keyboard(page)
    await keyboard.to(page.getByLabel('Email'))
    await keyboard.type(email)
    await keyboard.to(page.getByLabel('Password', { exact: true }))
    await keyboard.type(password)
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
    const cookies = await visit.context.cookies()
    expect(
      cookies.map(({ name, httpOnly, secure, sameSite, path }) => ({ name, httpOnly, secure, sameSite, path })),
    ).toContainEqual({ name: '__Host-les.session_token', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })

    await page.reload()
    await keyboard.to(page.getByRole('link', { name: /skip/i }))
    await keyboard.press('Enter')
    await keyboard.at(page.locator('#main'))
    await keyboard.find('Sign out', page.getByRole('option', { name: 'Sign out', exact: true }))
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor()
    expectNoComplaints(visit)
  })

  it('somebody finds a lead, opens it, and goes on where they were', async () => {
    const { team } = await withLeads()
    await job(team, async (keyboard, seen) => {
      const { page } = seen
      await rowOf(seen, 'Cora Comment').waitFor()
      await keyboard.find('Cora Comment', page.locator('[data-value^="lead "]').first())
      const detail = page.getByRole('dialog', { name: 'Cora Comment' })
      await detail.getByText('What they did').waitFor()
      await keyboard.press('Escape')
      await detail.waitFor({ state: 'detached' })
      await keyboard.see(rowOf(seen, 'Cora Comment'))
    })
  })
})

describe('a page', { timeout: 120_000 }, () => {
  it('has one stop of Tab for a grid, whose rows and controls the arrows reach, and whole times and reasons on focus', async () => {
    const { team, source } = await withLeads()
    const seen = await pages.signedIn(team, '/sources', 'owner')
    const { page } = seen
    const keyboard = new Keyboard(page)
    const row = page.getByRole('row').filter({ hasText: source.username })
    await row.waitFor()
    await expect.poll(() => crowdedGrids(page)).toEqual([])
    await keyboard.to(row)
    await keyboard.to(row.locator('time').first(), 'ArrowRight')
    await page.getByRole('tooltip').filter({ hasText: 'Europe/Berlin' }).waitFor()
    await keyboard.to(page.getByRole('button', { name: /^Actions for/ }), 'ArrowRight')
    await keyboard.press('Escape')
    await keyboard.at(row)
    await keyboard.press('ArrowUp')
    await keyboard.at(page.getByRole('columnheader').getByRole('button').first())
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.waitForURL(/\/sources\/[0-9a-f-]{36}/)

    await page.goto('/sources?track=true')
    const track = page.getByRole('button', { name: 'Track', exact: true })
    await keyboard.to(track)
    await page.getByRole('tooltip').filter({ hasText: 'Paste an address first.' }).waitFor()
    await keyboard.press('Enter')
    await keyboard.at(track)
    expect(await findings(page)).toEqual([])
    expectNoComplaints(seen)
  })
})
