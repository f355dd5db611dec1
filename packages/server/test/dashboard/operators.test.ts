/** What operators of the service see on the dashboard, and that nobody else does. */
import { describe, expect, it } from 'vitest'
import { likes, people, track } from '../scenarios/sync-stage.ts'
import { expectNoComplaints, findings, useWorldWithPages } from './browser.ts'
import { memberOf, signUp } from './stage.ts'

// One address per try of each test: an address can sign up only once.
const addresses = Array.from({ length: 12 }, (_, at) => `operator-${at}@example.com`)
const { world, pages } = useWorldWithPages({ config: { roles: ['http'], operators: [...addresses] } })
const newOperator = (): { readonly email: string } => ({ email: addresses.pop()! })
const overview = '/app/api/operator/overview'
const retry = '/app/api/operator/poison/retry'

describe('the operators’ page', () => {
  it('shows teams, credits, vendors and queues to whom the settings name, and to nobody else that it exists', async () => {
    const team = await world.team({ credits: 77, name: 'Acme' })
    const [operator, other] = [await signUp(world, newOperator()), await signUp(world)]
    const { status, body } = await operator.send('GET', overview)
    expect(status).toBe(200)
    expect(body.teams.find(({ id }: { id: string }) => id === team.id)).toMatchObject({ name: 'Acme', credits: 77 })
    expect(body.vendors.map(({ vendor, key }: Record<string, string>) => [vendor, key])).toEqual([
      ['harvestapi', 'good'],
      ['linkdapi', 'good'],
    ])
    expect((await operator.send('GET', '/app/api/me')).body.operator).toBe(true)
    expect((await other.send('GET', '/app/api/me')).body.operator).toBe(false)
    const work = { kind: 'capture', teamId: team.id, id: team.id }
    for (const asked of [other.send('GET', overview), other.send('POST', retry, work)])
      expect([(await asked).status, (await asked).body.error]).toEqual([404, 'There is nothing here'])
  })

  it('lists work that fails unexpectedly and tries it again: done once what was wrong is mended, charged once', async () => {
    const team = await world.team({ credits: 100 })
    const operator = await signUp(world, newOperator())
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)), comments: [] })
    // An unexpected failure: the database rejects leads of this team.
    const query = (text: string) => world.database.pool.query(text)
    const lead = `${await world.shardOf(team)}.lead`
    await query(`alter table ${lead} drop constraint if exists broken`)
    await query(`alter table ${lead} add constraint broken check (team_id <> '${team.id}') not valid`)
    await track(team, author)
    await world.drain()
    const { body } = await operator.send('GET', overview)
    expect(body.poison).toMatchObject([{ kind: 'capture', teamId: team.id, failures: 1 }])
    expect(body.alerts.map(({ text }: { text: string }) => text)).toContain('1 piece of work fails unexpectedly')
    const [{ kind, teamId, id }] = body.poison
    await query(`alter table ${lead} drop constraint broken`)
    expect((await operator.send('POST', retry, { kind, teamId, id: world.teams[0]!.id })).body).toEqual({ due: false })
    expect((await operator.send('POST', retry, { kind, teamId, id })).body).toEqual({ due: true })
    await world.drain()
    expect((await operator.send('GET', overview)).body.poison).toEqual([])
    expect((await operator.send('POST', retry, { kind, teamId, id })).body).toEqual({ due: false })
    expect(await team.balance()).toBe(97)
  })

  it('has alerts first, then teams, vendors, costs and work, and is in the navigation of operators alone', async () => {
    const name = world.handle('borealis')
    const team = await world.team({ credits: 77, name })
    const operator = await memberOf(world, team, 'viewer', newOperator())
    const { page, complaints } = await pages.signedInAs(operator, '/home')
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
    await page.getByRole('row').filter({ hasText: name }).getByRole('gridcell', { name: '77', exact: true }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Vendors' }).click()
    await page.getByRole('row').filter({ hasText: 'harvestapi' }).getByText('Key good').waitFor()
    await page.getByRole('tab', { name: 'Costs and margins' }).click()
    await page
      .getByRole('tabpanel')
      .getByText('in 30 days')
      .or(page.getByRole('grid', { name: 'Costs of 30 days' }))
      .first()
      .waitFor()
    await page.getByRole('tab', { name: 'Work' }).click()
    await page.getByRole('grid', { name: 'Queues' }).or(page.getByText('Nothing waits')).first().waitFor()
    expect(await findings(page)).toEqual([])
    expectNoComplaints({ complaints })
    const other = await pages.signedIn(team, '/home')
    await other.page.getByRole('link', { name: 'Settings' }).first().waitFor()
    await expect.poll(() => other.page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
  })
})
