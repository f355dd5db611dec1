/** Exclusions, the credit ledger explained, and why a lead was not captured or sent, in a real browser. */
import { describe, expect, it } from 'vitest'
import { expectFit, expectNoComplaints, expectUsable, findings, useWorldWithPages } from './browser.ts'
import type { Team } from '../world/world.ts'
import { nameOfPerson } from './source-stage.ts'
import { openStaged, rowOf } from './leads-stage.ts'

const { world, pages } = useWorldWithPages()
const stagedAt = openStaged(world, pages)

async function twice(team: Team) {
  const [author, ann, ben] = ['author', 'ann', 'ben'].map((name) => world.handle(name)) as [string, string, string]
  world.network.seedPerson({ handle: ann, name: 'Ann Both' })
  world.network.seedPerson({ handle: ben, name: 'Ben Once' })
  world.network.seedPost({
    author,
    reactions: [{ person: ann }, { person: ben }],
    comments: [{ person: ann, text: 'And I say' }],
  })
  expect((await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })).status).toBeLessThan(300)
  await world.drain()
  const { sources } = (await team.get('/sources')).body
  return sources[0] as { readonly id: string; readonly username: string }
}

describe('every credit explained', () => {
  it('from a lead: why it was charged, disputed with its answer; the run and its sum that adds up [LDG-01, LDG-03, LDG-06]', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await twice(team)
    const seen = await pages.signedIn(team, `/leads?profileId=${source.id}`, 'member')
    const { page } = seen
    await rowOf(seen, 'Ann Both').first().getByText('Ann Both', { exact: true }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Why was I charged?' }).click()
    await page.getByText('What this person cost at one source').waitFor()
    const grid = page.getByRole('grid', { name: 'Ledger' })
    await expect.poll(() => grid.getByRole('row').count()).toBe(3)
    await grid.getByText('A person this source had not found before').waitFor()
    await grid.getByText('Free: another engagement of somebody charged in this run').waitFor()
    await grid.getByRole('button', { name: 'Dispute' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What is wrong with it').selectOption({ label: 'One of our own people' })
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Dispute' }).click()
    await page.getByText('1 credit given back').waitFor()
    await grid.getByText('Disputed, given back').first().waitFor()
    expect(await team.balance()).toBe(4_999)
    await expect.poll(() => grid.getByRole('row').count()).toBe(4)
    await grid.getByRole('row').filter({ hasText: 'Free' }).getByRole('link', { name: 'Its run' }).click()
    await page.getByText('3 seen = 2 charged + 1 free').waitFor()
    await expectUsable(seen)
    await page.goto(`/sources/${source.id}`)
    await page.getByRole('grid', { name: 'Runs' }).getByRole('link', { name: 'what was charged' }).click()
    await page.getByText('What one run cost').waitFor()
    expectNoComplaints(seen)
  })

  it('by run, source and day, and as the statement of a month that is printed and taken along [LDG-03, LDG-05]', async () => {
    const team = await world.team({ credits: 5_000 })
    const source = await twice(team)
    const seen = await pages.signedIn(team, '/credits?tab=sums', 'viewer')
    const { page } = seen
    const grid = page.getByRole('grid', { name: 'Sums' })
    await grid.getByText('1 × another engagement of somebody charged in this run').waitFor()
    const cells = await grid.getByRole('row').nth(1).getByRole('gridcell').allInnerTexts()
    expect(cells.slice(1, 4).map(Number)).toEqual([3, 2, 1])
    await page.getByLabel('Added up').selectOption({ label: 'By source' })
    await grid.getByRole('link', { name: nameOfPerson(world, source.username) }).waitFor()
    await page.getByRole('tab', { name: 'Statement' }).click()
    const table = page.getByRole('table')
    await table.getByText('Closing balance').waitFor()
    const amounts = (await table.getByRole('cell').allInnerTexts()).map((text) =>
      Number(text.replace('−', '-').replace(',', '')),
    )
    expect(amounts.at(-1)).toBe(4_998)
    expect(amounts.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBe(4_998)
    const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const { text, status } = await seen.member.send('GET', href!)
    expect([status, text.split('\n')[0]!.trim()]).toEqual([200, 'section,sourceId,label,credits'])
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    expect(await table.isVisible()).toBe(true)
    expectNoComplaints(seen)
  })

  it('of each post of a source: what is missing, why, and what it would cost; and which sources pay twice [LDG-08, LDG-09, LDG-10]', async () => {
    const team = await world.team({ credits: 5_000 })
    const fans = [1, 2, 3].map((number) => ({ person: world.handle(`fan-${number}`) }))
    const [one, other] = ['one', 'other'].map((name) => world.handle(name))
    for (const [author, settings] of [
      [one, {}],
      [other, { creditCapPerSync: 2 }],
    ] as const) {
      world.network.seedPost({ author: author!, reactions: fans })
      expect(
        (await team.post('/enrich/profile', { username: author, saveTrackedProfile: true, ...settings })).status,
      ).toBeLessThan(300)
    }
    await world.drain()
    const { sources } = (await team.get('/sources')).body
    const capped = sources.find((source: { username: string }) => source.username === other)
    const seen = await pages.signedIn(team, `/sources/${capped.id}?tab=coverage`, 'viewer')
    const { page } = seen
    const row = page.getByRole('grid', { name: 'Coverage' }).getByRole('row').nth(1)
    await row.getByText('Credits ran out, or the sync reached its limit on leads').waitFor()
    await row.getByText('1 at most').waitFor()
    await page.getByText('How fast it goes').waitFor()
    await expectFit(seen)
    await page.goto('/sources?tab=overlap')
    const pairs = page.getByRole('grid', { name: 'Overlap' })
    await expect.poll(() => pairs.getByRole('row').nth(1).innerText()).toMatch(/2\s+2\s*$/)
    await expectFit(seen)
    expectNoComplaints(seen)
  })
})

describe('exclusions', () => {
  it('are added by pasting many, filtered in the address, removed and put back, and counted before that [EXC-01, EXC-02, EXC-03]', async () => {
    const { team, source, seen, page } = await stagedAt('/exclusions', 'member')
    const { handles } = source
    await page.getByRole('heading', { name: 'Nobody is excluded' }).waitFor()
    await page.getByRole('button', { name: 'Exclude', exact: true }).click()
    // A notice has the role dialog too, and stays for ten seconds.
    const dialog = page.getByRole('dialog', { name: 'Exclude', exact: true })
    await dialog.getByLabel('Who').fill(`@${handles[0]}\nhttps://www.linkedin.com/in/${handles[1]}\nnobody-here`)
    await dialog.getByText('They match 2 of 3 leads captured so far.').waitFor()
    await dialog.getByLabel('List').selectOption({ label: 'Customers' })
    await dialog.getByLabel('Reason').fill('Since 2024')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Exclude 3 entries' }).click()
    await dialog.waitFor({ state: 'detached' })
    const grid = page.getByRole('grid', { name: 'Entries' })
    await expect.poll(() => grid.getByRole('row').count()).toBe(4)
    await page.getByRole('button', { name: 'Exclude', exact: true }).click()
    await dialog.getByLabel('What').selectOption({ label: 'Domain' })
    // Refused entries are named and stay for correction.
    await dialog.getByLabel('Who').fill('acme.example\nacme')
    await dialog.getByRole('button', { name: 'Exclude 2 entries' }).click()
    await page.getByText('Not excluded: “acme”: the domain must be').first().waitFor()
    await dialog.getByLabel('Who').fill('acme.example')
    await dialog.getByRole('button', { name: 'Exclude', exact: true }).click()
    await grid.getByText('acme.example').waitFor()
    await page.getByLabel('Search').fill('since')
    await grid.getByText('acme.example').waitFor({ state: 'detached' })
    await page.getByLabel('Kind').selectOption({ label: 'Person' })
    await expect.poll(() => new URL(page.url()).search).toBe('?query=since&kind=person')
    await expectFit(seen)
    await grid.getByRole('row').filter({ hasText: handles[1]! }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText(`No longer excluded: ${handles[1]}`).waitFor()
    await expect.poll(() => grid.getByRole('row').count()).toBe(3)
    const notice = page.getByRole('dialog', { name: `No longer excluded: ${handles[1]}` })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await grid.getByText(handles[1]!).waitFor()
    const { body } = await team.get('/exclusions?list=customers')
    expect(body.entries.map((entry: { value: string }) => entry.value).sort()).toEqual(
      [handles[0], handles[1], 'nobody-here'].sort(),
    )
    expectNoComplaints(seen)
  })

  it('come from a CSV file, every refused row is named with its line [EXC-11]', async () => {
    const seen = await pages.signedIn(await world.team(), '/exclusions', 'member')
    const { page } = seen
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('File').setInputFiles({
      name: 'entries.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('\uFEFFkind;value;reason\ndomain;acme.example;Customer\nplanet;mars;\nemail;nobody;\n'),
    })
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
    await dialog.getByText('1 entry added, 0 listed before, 2 refused.').waitFor()
    expect(await dialog.getByRole('list', { name: 'Refused rows' }).innerText()).toMatch(
      /Line 3 mars[\s\S]*Line 4 nobody/,
    )
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('grid', { name: 'Entries' }).getByText('From a file').waitFor()
    expectNoComplaints(seen)
  })

  it('have settings that say how many leads they would exclude before they are saved; a viewer reads them [EXC-04]', async () => {
    const { team, seen, page } = await stagedAt('/exclusions?tab=settings', 'member')
    await page.getByRole('switch', { name: 'Exclude people who work at the source' }).click()
    await page.getByText('With these settings, 0 of 3 leads captured so far would be excluded').waitFor()
    await expectUsable(seen)
    expect((await team.get('/exclusions/settings')).body.worksAtSource).toBe(false)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    expect((await team.get('/exclusions/settings')).body.worksAtSource).toBe(true)
    const viewer = await pages.signedIn(team, '/exclusions', 'viewer')
    await viewer.page.getByRole('heading', { name: 'Nobody is excluded' }).waitFor()
    await expect.poll(() => viewer.page.getByRole('button', { name: 'Import CSV' }).isDisabled()).toBe(true)
    expectNoComplaints(viewer)
  })

  it('are made at a lead, of the person or of everybody at their company, with undo, and shown there with the reason [EXC-05, EXC-06]', async () => {
    const { team, seen, page } = await stagedAt('/leads', 'member')
    await rowOf(seen, 'Sanne Sales').getByRole('button', { name: 'Exclude Sanne Sales' }).click()
    await page.getByRole('menuitem', { name: 'Exclude this person' }).click()
    await page.getByText('Excluded: Sanne Sales').waitFor()
    await rowOf(seen, 'Sanne Sales').getByText('Excluded').waitFor()
    await expectUsable(seen)
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowOf(seen, 'Sanne Sales').getByText('Excluded').waitFor({ state: 'detached' })
    expect((await team.get('/exclusions')).body.total).toBe(0)
    await rowOf(seen, 'Ben Baker').getByText('Ben Baker', { exact: true }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Exclude' }).click()
    await page.getByRole('menuitem', { name: /^Exclude everybody at / }).click()
    await drawer.getByText('Excluded: leads of this person are not delivered').waitFor()
    await drawer.getByText('They are on the list “Do not contact”.', { exact: true }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.goto('/leads?excluded=only')
    await rowOf(seen, 'Ben Baker').waitFor()
    await page.getByText('Exclusions: only excluded people').waitFor()
    await page.goto('/leads?excluded=exclude')
    await rowOf(seen, 'Ben Baker').waitFor({ state: 'detached' })
    const [entry] = (await team.get('/exclusions')).body.entries
    expect([entry.kind, entry.origin]).toEqual(['company', 'dashboard'])
    expectNoComplaints(seen)
  })
})

describe('privacy', () => {
  it('somebody is found, exported, kept from going out and erased after their name is typed; the receipt is listed [PRV-01, PRV-02, PRV-03, PRV-09, PRV-10]', async () => {
    const { team, seen, page } = await stagedAt('/privacy', 'owner')
    await page.getByLabel('Person').fill('sanne')
    const person = page
      .getByRole('list', { name: 'People found' })
      .getByRole('listitem')
      .filter({ hasText: 'Sanne Sales' })
    await person.getByText('1 lead', { exact: true }).waitFor()
    await expectFit(seen)
    const href = await person.getByRole('link', { name: 'Export' }).getAttribute('href')
    const { status, body } = await seen.member.send('GET', href!)
    expect([status, body.facts.length > 0]).toEqual([200, true])
    await person.getByRole('button', { name: 'Object' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop deliveries' }).click()
    await page.getByText('They are no longer delivered').waitFor()
    expect((await team.get('/exclusions')).body.entries[0].reason).toBe('objection')
    await person.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase Sanne Sales?' })
    await dialog.getByLabel('Type “Sanne Sales” to confirm').fill('Sanne')
    await dialog.getByRole('button', { name: 'Erase for good' }).click()
    expect((await team.get('/leads')).body.total).toBe(3)
    expect(await findings(page)).toEqual([])
    await dialog.getByLabel('Type “Sanne Sales” to confirm').fill('Sanne Sales')
    await dialog.getByRole('button', { name: 'Erase for good' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await team.get('/leads')).body.total).toBe(2)
    await page.getByRole('tab', { name: 'Receipts' }).click()
    await page.getByRole('grid', { name: 'Receipts' }).getByRole('row').nth(1).waitFor()
    await expectFit(seen)
    expectNoComplaints(seen)
  })

  it('how long leads are kept is set with a look at what would go [PRV-12]', async () => {
    const { team, seen, page } = await stagedAt('/privacy?tab=retention', 'owner')
    await page.getByLabel('Days that leads are kept').fill('365')
    await page.getByText('Now 0 leads would be deleted for good').waitFor()
    await expectUsable(seen)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    expect((await team.get('/privacy/retention')).body).toEqual({ keepLeadsDays: 365, keepUnfitDays: null })
    expectNoComplaints(seen)
  })
})
