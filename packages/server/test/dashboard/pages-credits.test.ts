import { describe, expect, it } from 'vitest'
import { capture } from '../scenarios/outreach-stage.ts'
import type { Team } from '../world/world.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

async function spent(team: Team) {
  const dear = await capture(world, team, [
    { name: 'Sanne Sales', title: 'Head of Sales' },
    { name: 'Ben Baker', title: 'Baker' },
    { name: 'Carl Cook', title: 'Cook' },
  ])
  const rules = [{ column: 'jobTitle', operator: 'contains', value: 'sales' }]
  expect((await team.put(`/profile/${dear.username}/icp`, { rules })).status).toBe(200)
  return { dear, other: await capture(world, team, [{ name: 'Olga Other' }]) }
}

describe('the credits', () => {
  it('say what to do while nothing is spent, and follow by themselves: by day and source, as a chart and as a table', async () => {
    const team = await world.team({ credits: 5_000 })
    const { page, complaints } = await pages.signedIn(team, '/credits', 'viewer')
    await page.getByRole('heading', { name: 'Nothing was spent' }).waitFor()
    await page.getByText('Nothing is being spent').waitFor()
    const { dear, other } = await spent(team)
    await page.getByText('4,996', { exact: true }).waitFor()
    await page.getByText('4 credits in 30 days').waitFor()
    await page.getByRole('img', { name: 'Credits charged on each day, by source' }).waitFor()
    await page.getByText('Show as a table').click()
    const table = page.getByRole('table', { name: 'Credits charged on each day, by source' })
    const head = await table.getByRole('columnheader').allInnerTexts()
    const last = await table.getByRole('row').last().getByRole('cell').allInnerTexts()
    expect(Object.fromEntries(head.slice(1).map((name, at) => [name, last[at]]))).toEqual({
      [nameOfPerson(world, dear.username)]: '3',
      [nameOfPerson(world, other.username)]: '1',
    })
    await page.getByLabel('Time span').selectOption('7')
    await page.getByText('4 credits in 7 days').waitFor()
    expect(new URL(page.url()).search).toBe('?days=7')
    expectNoComplaints({ complaints })
  })

  it('are shown by what they yield: the funnel, and what a lead that fits costs at each source, dearest first', async () => {
    const team = await world.team({ credits: 5_000 })
    const { dear, other } = await spent(team)
    // Its cap allows one of four people: shares are of charged people, not of all seen.
    const faces = ['Cara Capped', 'Cody Capped', 'Cleo Capped', 'Curt Capped'].map((name) => ({ name }))
    await capture(world, team, faces, { settings: { creditCapPerSync: 1 } })
    const { page, complaints } = await pages.signedIn(team, '/credits?tab=yield', 'viewer')
    const table = page.getByRole('grid', { name: 'What each source yields' })
    await table.getByRole('row').nth(3).waitFor()
    const rows = await table.getByRole('row').allInnerTexts()
    expect(rows[1]).toContain(nameOfPerson(world, dear.username))
    expect(rows[1]!.trim().endsWith('3')).toBe(true)
    const rowOf = (username: string) => rows.find((row) => row.includes(nameOfPerson(world, username)))
    expect(rowOf(other.username)).toContain('none fit')
    const steps = page.getByRole('list').filter({ hasText: 'Details found' }).getByRole('listitem')
    for (const [at, said] of [/^Seen\D*8$/, /^Charged\D*5$/, /\D5\s*100%$/, /\D1\s*20%$/].entries())
      await expect.poll(async () => (await steps.nth(at).innerText()).replaceAll(/\s+/g, ' ')).toMatch(said)
    expectNoComplaints({ complaints })
  })

  it('have a ledger with a line for every charge and its reason, filtered in the address, fifty lines a page', async () => {
    const team = await world.team({ credits: 5_000 })
    const { other } = await spent(team)
    const fans = Array.from({ length: 55 }, (_, index) => ({ name: `Fan ${index}` }))
    await capture(world, team, fans)
    const { page, complaints } = await pages.signedIn(team, '/credits?tab=ledger', 'viewer')
    await page.getByText('1–50 of 60').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51–60 of 60').waitFor()
    await page.getByLabel('Source').selectOption({ label: nameOfPerson(world, other.username) })
    await expect.poll(() => page.getByRole('grid', { name: 'Ledger' }).getByRole('row').count()).toBe(2)
    const row = page.getByRole('grid', { name: 'Ledger' }).getByRole('row').nth(1)
    await expect.poll(() => row.innerText()).toContain('Olga Other')
    await expect.poll(() => row.innerText()).toContain('−1')
    expect(new URL(page.url()).search).toContain(`sourceId=${other.id}`)
    await page.getByLabel('Source').selectOption('')
    await page.getByLabel('Kind').selectOption('grant')
    await page.getByText('+5,000').waitFor()
    expectNoComplaints({ complaints })
  })
})
