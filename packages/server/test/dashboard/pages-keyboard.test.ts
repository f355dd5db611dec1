/**
 * Ten whole jobs without a mouse, each with the number of keys it takes, which is printed: the focus is never lost and
 * always seen, and returns from windows. `npm test` does three of them, `npm run test:long` all.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { onlySeeded, topic } from '../scenarios/keyword-run-stage.ts'
import type { Captured } from '../scenarios/outreach-stage.ts'
import { sourcesOf } from '../world/tracking.ts'
import { long } from '../world/amount.ts'
import type { Team } from '../world/world.ts'
import { crowdedGrids, expectNoComplaints, findings, useWorldWithPages, type SignedIn } from './browser.ts'
import { Keyboard } from './keyboard.ts'
import { rowOf, staged } from './leads-stage.ts'
import { memberOf } from './stage.ts'

const { world, pages } = useWorldWithPages()

/** A team with three leads, whose source sends what is pushed to a receiver. */
async function withLeads(): Promise<{ team: Team; source: Captured; inbox: Awaited<ReturnType<typeof world.inbox>> }> {
  const team = await world.team({ credits: 5_000 })
  const [source, inbox] = [await staged(world, team), await world.inbox()]
  const set = await team.put(`/profile/${source.username}/webhook`, { webhookUrl: inbox.url, autoSend: false })
  expect(set.status).toBe(200)
  return { team, source, inbox }
}

type Work = (keyboard: Keyboard, seen: SignedIn) => Promise<void>

/** Somebody does a job from the page "Leads"; what it took is printed. */
async function job(name: string, team: Team, work: Work): Promise<void> {
  const seen = await pages.signedIn(team, '/leads', 'owner')
  const keyboard = new Keyboard(seen.page)
  await seen.page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
  await seen.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await work(keyboard, seen)
  expectNoComplaints(seen)
  console.log(`${name}: ${keyboard.steps} steps`)
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
    console.log(`sign in: ${keyboard.steps} steps`)
    const cookies = await visit.context.cookies()
    expect(
      cookies.map(({ name, httpOnly, secure, sameSite, path }) => ({ name, httpOnly, secure, sameSite, path })),
    ).toContainEqual({ name: '__Host-les.session_token', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })

    await page.reload()
    await keyboard.to(page.getByRole('link', { name: /skip/i }))
    await keyboard.press('Enter')
    await keyboard.at(page.locator('#main'))
    const before = keyboard.steps
    await keyboard.find('Sign out', page.getByRole('option', { name: 'Sign out', exact: true }))
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor()
    console.log(`sign out: ${keyboard.steps - before} steps`)
    expectNoComplaints(visit)
  })

  it('somebody tracks a person after seeing what it costs', async () => {
    const team = await world.team({ credits: 1_000 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: [{ person: world.handle('fan') }], comments: [] })
    await job('track a person', team, async (keyboard, { page }) => {
      const address = `https://www.linkedin.com/in/${author}/`
      await keyboard.find(address, page.getByRole('option', { name: `Track “${address}”` }))
      await keyboard.see(page.getByText(/^At most .* credits/))
      await keyboard.see(page.getByRole('button', { name: 'Track 1 source' }))
      await keyboard.press('Control+Enter')
      await keyboard.see(page.getByRole('button', { name: 'Done' }))
      await keyboard.press('Escape')
      await keyboard.see(page.getByRole('row').filter({ hasText: author }))
    })
  })

  it('somebody finds a lead, opens it, and goes on where they were', async () => {
    const { team } = await withLeads()
    await job('find a lead and open it', team, async (keyboard, seen) => {
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

describe.runIf(long)('with the keyboard alone, all jobs', { timeout: 120_000 }, () => {
  beforeAll(() => onlySeeded(world))

  it('somebody sends two leads after seeing who goes', async () => {
    const { team, inbox } = await withLeads()
    await job('send two leads', team, async (keyboard, seen) => {
      const { page } = seen
      await rowOf(seen, 'Cora Comment').waitFor()
      await keyboard.press('j')
      await keyboard.at(page.getByRole('grid', { name: 'Leads' }).getByRole('row').nth(1))
      await keyboard.press('x')
      await keyboard.press('j')
      await keyboard.press('x')
      await keyboard.see(page.getByText('2 leads chosen'))
      const send = page.getByRole('button', { name: 'Send to webhook' })
      await keyboard.to(send, 'Shift+Tab')
      await keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Send to webhook' })
      await keyboard.see(dialog.getByText('Go now'))
      await keyboard.see(dialog.getByRole('button', { name: 'Send 2 leads' }))
      await keyboard.press('Control+Enter')
      await dialog.waitFor({ state: 'detached' })
      await keyboard.at(send)
      await keyboard.see(page.getByText('Sending 2 leads to'))
    })
    await world.advance('10s')
    await world.drain()
    expect(inbox.received).toHaveLength(2)
  })

  it('somebody sets a webhook and sends a test event to it', async () => {
    const { team, source } = await withLeads()
    const inbox = await world.inbox()
    await job('set a webhook and test it', team, async (keyboard, { page }) => {
      await keyboard.find(source.username, page.getByRole('option', { name: /^Webhook of/ }))
      await keyboard.see(page.getByLabel('Address'))
      await keyboard.to(page.getByLabel('Address'))
      await keyboard.press('Control+a')
      await keyboard.type(inbox.url)
      await keyboard.press('Enter')
      await keyboard.see(page.getByText('Webhook saved'))
      await keyboard.to(page.getByRole('button', { name: 'Send a test event' }))
      await keyboard.press('Enter')
      await keyboard.see(page.getByText('Delivered: your address answered 200'))
    })
    expect(inbox.received).toHaveLength(1)
  })

  it('somebody invites a colleague', async () => {
    const team = await world.team({ credits: 1_000 })
    await job('invite a colleague', team, async (keyboard, { page }) => {
      await keyboard.find('invite', page.getByRole('option', { name: 'Invite a colleague', exact: true }))
      const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
      await keyboard.to(dialog.getByLabel('Email'))
      await keyboard.type('by.keys@example.com')
      await keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await keyboard.see(page.getByText('by.keys@example.com'))
    })
  })

  it('somebody makes a keyword search after a yes to its figures', async () => {
    const team = await world.team({ credits: 500 })
    const word = topic(world)
    world.network.seedSearch({
      posts: [{ author: world.handle('writer'), text: `All about ${word}`, reactions: 1, comments: 0 }],
      generated: false,
    })
    await job('make a keyword search', team, async (keyboard, { page }) => {
      await keyboard.find('New keyword search', page.getByRole('option', { name: 'New keyword search', exact: true }))
      await keyboard.to(page.getByRole('textbox', { name: 'Terms' }))
      await keyboard.type(word)
      await keyboard.press('Enter')
      await keyboard.see(page.getByText('At most a run'))
      await keyboard.press('Control+Enter')
      await keyboard.see(
        page.getByRole('dialog', { name: 'This uses credits' }).getByRole('button', { name: /^Spend/ }),
      )
      await keyboard.press('Control+Enter')
      await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/)
      await keyboard.see(page.getByRole('heading', { level: 1 }))
    })
    expect(await sourcesOf(team)).toHaveLength(1)
  })

  it('somebody narrows the list and saves that as a view', async () => {
    const { team } = await withLeads()
    await job('save a view', team, async (keyboard, seen) => {
      const { page } = seen
      await rowOf(seen, 'Ben Baker').waitFor()
      await keyboard.skip()
      await keyboard.to(page.getByRole('combobox', { name: 'Fit', exact: true }))
      await keyboard.press('ArrowDown')
      await rowOf(seen, 'Ben Baker').waitFor({ state: 'detached' })
      await keyboard.to(page.getByRole('button', { name: 'Views' }), 'Shift+Tab')
      await keyboard.press('Enter')
      const save = page.getByRole('menuitem', { name: 'Save this view…' })
      await keyboard.to(save, 'ArrowDown')
      await keyboard.press('Enter')
      await keyboard.at(page.getByLabel('Name', { exact: true }))
      await keyboard.type('Those who fit')
      await keyboard.press('Enter')
      await keyboard.at(page.getByRole('button', { name: 'Those who fit' }))
    })
  })

  it('somebody makes a key and stores it', async () => {
    const team = await world.team({ credits: 1_000 })
    await job('make a key', team, async (keyboard, { page }) => {
      await keyboard.find('Make an API key', page.getByRole('option', { name: 'Make an API key', exact: true }))
      await keyboard.to(page.getByRole('dialog').getByLabel('Name'))
      await keyboard.type('By keys')
      await keyboard.press('Enter')
      await keyboard.see(page.getByRole('dialog', { name: 'Your new key' }))
      await keyboard.press('Control+Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await keyboard.see(page.getByRole('row').filter({ hasText: 'By keys' }))
    })
  })
})
