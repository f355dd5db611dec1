/** Keyword searches as a person builds them: read as they are typed, priced, started after a yes, tried out on stored posts. */
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { onlySeeded, run, search, topic } from '../scenarios/keyword-run-stage.ts'
import { sourcesOf } from '../world/tracking.ts'
import { expectNoComplaints, holdAsked, useWorldWithPages } from './browser.ts'

const { world, pages } = useWorldWithPages()
beforeAll(() => onlySeeded(world))

/** What the page has that this project's types of Node do not know. */
type Clipboard = {
  readonly DataTransfer: new () => { setData(type: string, text: string): void }
  readonly ClipboardEvent: new (name: string, init: object) => Event
}

/** Pastes lines into a field. */
const paste = (field: Locator, lines: readonly string[]) =>
  field.evaluate((element, text) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as Clipboard
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, lines.join('\n'))

/** Types into a field and presses Enter. */
async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

describe('building a search', () => {
  it('marks what is wrong with an expression while it is typed, and shows how it is read once it is right', async () => {
    const { page, complaints } = await pages.signedIn(await world.team(), '/keyword/new', 'member')
    await page.getByRole('radio', { name: /Expression/ }).check()
    const field = page.getByRole('textbox', { name: 'Expression' })
    const mark = page.locator('mark')
    await field.fill('growth hiring NOT intern')
    await page.getByText('Write AND NOT to exclude').first().waitFor()
    await expect.poll(() => mark.innerText()).toBe('NOT')
    await field.fill('growth OR NOT intern')
    await page.getByText('matches nearly every post').first().waitFor()
    await field.fill('growth  AND "head of sales"')
    await page.getByText('matches nearly every post').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('code').first().innerText()).toBe('(growth AND "head of sales")')
    await expect.poll(() => mark.count()).toBe(0)
    expectNoComplaints({ complaints })
  })

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
    // As the palette opens it for what was typed.
    const { page } = await pages.signedIn(team, `/keyword/new?terms=${word}`, 'member')
    await page.getByRole('combobox', { name: 'Posted in' }).selectOption({ label: 'The last month' })
    await page.getByRole('button', { name: 'Start the search' }).click()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    const conflict = page.getByRole('dialog', { name: 'There is such a search already' })
    await conflict.getByText('Age of posts').waitFor()
    await conflict.getByText('The last week').waitFor()
    const stored = async () => (await sourcesOf(team)).find((source) => source.id === id)?.datePosted
    expect(await stored()).toBe('PAST_WEEK')
    await conflict.getByRole('button', { name: 'Change it' }).click()
    await page.waitForURL(new RegExp(id))
    expect(await stored()).toBe('PAST_MONTH')
  })

  it('is not kept from a press by the list that grows as its field is left', async () => {
    const { page, complaints } = await pages.signedIn(await world.team({ credits: 500 }), '/keyword/new', 'member')
    // All in view, so that what the list pushes down is what is pressed.
    await page.setViewportSize({ width: 1280, height: 2400 })
    await page.getByRole('textbox', { name: 'Terms' }).fill(topic(world))
    const { x, y, width, height } = (await page.getByRole('button', { name: 'Start the search' }).boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    const remove = page.getByRole('button', { name: /^Remove / })
    // What was typed is in the list, and drawn once the press is over.
    await expect.poll(() => page.getByRole('textbox', { name: 'Terms' }).inputValue()).toBe('')
    expect(await remove.count()).toBe(0)
    await page.mouse.up()
    await page.getByRole('dialog', { name: 'This uses credits' }).waitFor()
    expect(await page.locator('ul[aria-label="Terms: chosen"] li').count()).toBe(1)
    expectNoComplaints({ complaints })
  })

  it('takes nobody for known before they are looked up, and keeps what is filled in meanwhile', async () => {
    const team = await world.team({ credits: 500 })
    const [author, mentioned] = [world.handle('author'), world.handle('mentioned')]
    for (const handle of [author, mentioned]) world.network.seedPerson({ handle, posts: [] })
    const { page, complaints } = await pages.signedIn(team, `/keyword/new?terms=${topic(world)}`, 'member')
    await page.getByText('Authors and mentions').click()
    const lookUp = await holdAsked(page, '**/profile/*/urn')
    const people = page.getByRole('textbox', { name: 'Only posts by these people' })
    await enter(people, author)
    await lookUp.asked
    const start = page.getByRole('button', { name: 'Start the search' })
    await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true')
    await start.focus()
    await page.getByText('People you named are still being looked up.').first().waitFor()
    await paste(people, ['one', 'two'])
    const words = page.getByRole('textbox', { name: /Words in the author/ })
    await enter(words, 'founder')
    const others = page.getByRole('textbox', { name: 'Posts that mention these people' })
    await enter(others, `https://www.linkedin.com/in/${mentioned}/`)
    lookUp.letGo()
    await expect.poll(() => start.getAttribute('aria-disabled')).toBeNull()
    await start.click()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/)
    const idOf = async (handle: string) => (await team.get(`/profile/${handle}/urn`)).body.entityUrn
    expect((await sourcesOf(team))[0]).toMatchObject({
      ...{ authorKeyword: ['founder'], fromPerson: [await idOf(author)], mentionsPerson: [await idOf(mentioned)] },
    })
    expectNoComplaints({ complaints })
    await world.drain()
  })

  it('says whom it could not look up and why, and how many of a pasted list found no room', async () => {
    const { page } = await pages.signedIn(await world.team(), '/keyword/new', 'member')
    await page.getByText('Authors and mentions').click()
    await page.route('**/profile/*/urn', (route) =>
      route.fulfill({ status: 429, json: { error: 'Too many requests.', code: 'rate_limited' } }),
    )
    const people = page.getByRole('textbox', { name: 'Only posts by these people' })
    await enter(people, 'ada')
    await page.getByText('Not looked up, name them again: ada. Too many requests.').waitFor()
    await page.unroute('**/profile/*/urn')
    await enter(people, world.handle('nobody'))
    await page.getByText(/^Not found: .*nobody/).waitFor()
    const words = page.getByRole('textbox', { name: /Words in the author/ })
    await enter(words, 'founder')
    // Taken away by a key, the focus goes on in the field, which stays in view.
    await page.getByRole('button', { name: 'Remove founder' }).press('Enter')
    await page.getByText('Authors and mentions (1 set)').waitFor({ state: 'detached' })
    await expect.poll(() => words.evaluate((field) => field.matches(':focus'))).toBe(true)
    await paste(
      words,
      Array.from({ length: 103 }, (_, index) => `word ${index}`),
    )
    await page.getByText('The list is full: 3 of what was pasted did not fit.').waitFor()
    await page.getByRole('button', { name: 'Remove word 0', exact: true }).click()
    await page.getByText('The list is full').waitFor({ state: 'detached' })
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
    // The address that searches had before leads to the page that every source has.
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
    await page.getByText('Posts that are gained are expected to cost 1 credit').waitFor()
    await page.getByRole('textbox', { name: 'Expression' }).fill(`${word} AND cooking`)
    await page.getByRole('button', { name: 'Try it on stored posts' }).click()
    await page.getByRole('tab', { name: 'Lost (1)' }).click()
    await page.getByText('Those that are lost have cost 1 credit.').waitFor()
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
    await page.getByText('It binds from the next run.').waitFor()
    expect((await sourcesOf(team))[0]?.creditCap).toBe(60)
    await page.getByRole('button', { name: 'Stop tracking' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop tracking' }).click()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.getByText('The search goes on').waitFor()
    expect((await sourcesOf(team))[0]?.status).toBe('active')
    await world.drain()
  })
})
