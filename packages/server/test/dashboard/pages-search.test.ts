/** Keyword searches in a real browser: parsed while typing, priced, started after confirmation, tried on stored posts. */
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { onlySeeded, run, search, topic } from '../scenarios/keyword-run-stage.ts'
import { sourcesOf } from '../world/tracking.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'

const { world, pages } = useWorldWithPages()
beforeAll(() => onlySeeded(world))

async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

describe('building a search', () => {
  it('says what it can cost before saving, starts only after a yes to the figures, and shows its first run end', async () => {
    const team = await world.team({ credits: 500 })
    const word = topic(world)
    world.network.seedSearch({
      posts: [{ author: world.handle('writer'), text: `All about ${word}`, reactions: 3, comments: 0 }],
      generated: false,
    })
    const { page, complaints } = await pages.signedIn(team, '/keyword/new', 'member')
    await enter(page.getByRole('textbox', { name: 'Terms' }), word)
    await page.getByText('At most a run').waitFor()
    await page.getByRole('textbox', { name: 'Credits a run may use' }).fill('40')
    await page.getByText('40 credits').first().waitFor()
    await expect
      .poll(() => page.locator('dl').filter({ hasText: 'At most a run' }).innerText())
      .toMatch(/All searches, at most a day\s+[\d,]+ credits/)
    await page.getByRole('button', { name: 'Start the search' }).click()
    const dialog = page.getByRole('dialog', { name: 'This uses credits' })
    await dialog.getByText('One run can use at most 40 credits.').waitFor()
    expect(await sourcesOf(team)).toEqual([])
    await dialog.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/)
    await world.drain()
    await page.getByText('It saw 3 people under the posts.').waitFor()
    expectNoComplaints({ complaints })
  })

  it('shows what a resume would rewrite, from and to, and leaves it alone without a yes', async () => {
    const team = await world.team()
    const word = topic(world)
    const { id } = await search(team, { keywords: [word] })
    await world.drain()
    // As the palette opens it for the typed text.
    const { page } = await pages.signedIn(team, `/keyword/new?terms=${word}`, 'member')
    await page.getByRole('combobox', { name: 'Posted in' }).selectOption({ label: 'The last month' })
    await page.getByRole('button', { name: 'Start the search' }).click()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    const conflict = page.getByRole('dialog', { name: 'This search already exists' })
    await conflict.getByText('Age of posts').waitFor()
    await conflict.getByText('The last week').waitFor()
    const stored = async () => (await sourcesOf(team)).find((source) => source.id === id)?.datePosted
    expect(await stored()).toBe('PAST_WEEK')
    await conflict.getByRole('button', { name: 'Change it' }).click()
    await page.waitForURL(new RegExp(id))
    expect(await stored()).toBe('PAST_MONTH')
  })
})

describe('a stored search', () => {
  it('lists kept and discarded posts with why, and tries other words out on them without saving', async () => {
    const team = await world.team()
    const word = topic(world)
    const [kept, left] = [`Why ${word} and hiring matter`, `Only ${word} here <script>alert(1)</script>`]
    world.network.seedSearch({
      posts: [kept, left].map((text) => ({ author: world.handle('writer'), text, reactions: 1, comments: 0 })),
      generated: false,
    })
    const { id } = await run(world, team, { expression: `${word} AND hiring` })
    // The old address of searches redirects to the page of the source.
    const { page, complaints } = await pages.signedIn(team, `/keyword/${id}?tab=posts`, 'member')
    await page.waitForURL(new RegExp(`/sources/${id}[?]tab=posts`))
    await page.getByText(kept).waitFor()
    await page.getByText(left).waitFor()
    await page.getByText(/does not contain.*hiring/i).waitFor()
    await page.getByRole('tab', { name: 'Try changes' }).click()
    await page.getByRole('textbox', { name: 'Expression' }).fill(word)
    await page.getByRole('button', { name: 'Try it on stored posts' }).click()
    await page.getByRole('tab', { name: 'Gained (1)' }).click()
    await page.getByText('now discarded').waitFor()
    await page.getByText('Gained posts are expected to cost 1 credit').waitFor()
    await page.getByRole('textbox', { name: 'Expression' }).fill(`${word} AND cooking`)
    await page.getByRole('button', { name: 'Try it on stored posts' }).click()
    await page.getByRole('tab', { name: 'Lost (1)' }).click()
    await page.getByText('Lost posts have cost 1 credit.').waitFor()
    await page.getByText('1 person known').waitFor()
    await page.getByRole('tab', { name: 'Near misses (2)' }).click()
    await page.getByText('All but cooking').first().waitFor()
    expect((await sourcesOf(team)).find((source) => source.id === id)?.expression).toContain('hiring')
    expectNoComplaints({ complaints })
  })

  it('is edited with its figures shown, stopped, and started again', async () => {
    const team = await world.team()
    const { id } = await run(world, team, { keywords: [topic(world)], creditCap: 30 })
    const { page } = await pages.signedIn(team, `/sources/${id}?tab=settings`, 'member')
    await page.getByRole('textbox', { name: 'Credits a run may use' }).fill('60')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.getByText('It applies from the next run.').waitFor()
    expect((await sourcesOf(team))[0]?.creditCap).toBe(60)
    await page.getByRole('button', { name: 'Stop tracking' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop tracking' }).click()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.getByText('The search continues').waitFor()
    expect((await sourcesOf(team))[0]?.status).toBe('active')
    await world.drain()
  })
})
