/** Connecting an app and a command line in a real browser: sign-in, the choice of a team, and the way back (MCP-03). */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addMember } from '../../src/sign-in/index.ts'
import { App, redirectUri } from '../sign-in/app.ts'
import { expectNoComplaints, findings, useWorldWithPages } from './browser.ts'
import { memberOf } from './stage.ts'

const { world, pages } = useWorldWithPages({ overrides: { signInLimits: null } })

const hostile = 'Desk <img src=x onerror=alert(1)>\u202egnp.exe'

const answerAsApp = (page: Page) =>
  page.route(`${redirectUri}**`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/plain', body: 'back in the app' }),
  )

describe('an app asks to be connected', () => {
  it('a stranger signs in, reads what it gets, chooses a team, and the code arrives at the app [MCP-03, DSH-01, SEC-08]', async () => {
    const [north, south] = [
      await world.team({ name: 'Sales North' }),
      await world.team({ name: 'Sales South', credits: 321 }),
    ]
    const person = await memberOf(world, north, 'owner')
    await world.service.unitOfWork((tx) => addMember(tx, { userId: person.userId, teamId: south.id, role: 'viewer' }))
    const app = await new App(world).register(hostile)
    const opened = await pages.stranger('/sign-in')
    const { page } = opened
    await answerAsApp(page)
    await page.goto(app.authorizeUrl())
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Connect an app' }).waitFor()
    await page.getByLabel('Team').waitFor()
    const shown = await page.locator('main').innerText()
    expect(shown).toContain('Desk <img src=x onerror=alert(1)>gnp.exe')
    expect(shown).toContain('an app on this computer')
    // What an owner's app may do, and what no app may do.
    expect(shown).toContain('Change where leads are delivered, and read the signing secret of webhooks.')
    expect(shown).toContain('It cannot make or revoke API keys')
    await expect.poll(() => page.locator('main img[src="x"]').count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Team').selectOption(south.id)
    await expect.poll(() => page.locator('main').innerText()).toContain('It cannot change anything')
    const back = page.waitForURL(`${redirectUri}**`)
    await page.getByRole('button', { name: 'Allow for Sales South' }).click()
    await back
    const arrived = new URL(page.url())
    expect([arrived.searchParams.get('state'), arrived.searchParams.get('iss')]).toEqual([
      'kept',
      `${world.url}/app/api/auth`,
    ])
    const { body } = await app.redeem(arrived.searchParams.get('code')!)
    const called = await app.rpc('tools/call', { name: 'get_account', arguments: {} }, body.access_token)
    expect(JSON.stringify(called.body)).toMatch(/balance\W+321\b/)
    expectNoComplaints(opened)
  }, 120_000)

  it('a no sends the app away, and a request that is not ours asks nothing [MCP-03]', async () => {
    const team = await world.team()
    const app = await new App(world).register()
    const opened = await pages.signedIn(
      team,
      '/consent?client_id=made-up&redirect_uri=https%3A%2F%2Fevil.example&sig=no',
    )
    const { page } = opened
    await page.getByRole('heading', { name: 'This request is not valid' }).waitFor()
    await answerAsApp(page)
    await page.goto(app.authorizeUrl())
    const back = page.waitForURL(`${redirectUri}**`)
    await page.getByRole('button', { name: 'Do not allow' }).click()
    await back
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  }, 120_000)

  it('a connected app is shown among the sessions, and ended there [MCP-03]', async () => {
    const team = await world.team()
    const app = await new App(world).register('Desk agent')
    const opened = await pages.signedIn(team, '/settings?tab=sessions')
    const { access_token } = await app.signIn(opened.member, team.id)
    await opened.page.reload()
    await opened.page.getByRole('button', { name: 'End the access of Desk agent' }).click()
    await opened.page.getByRole('button', { name: 'End the access', exact: true }).click()
    await opened.page.getByText('None. An app asks you').waitFor()
    expect((await app.rpc('tools/list', {}, access_token)).status).toBe(401)
    expectNoComplaints(opened)
  }, 120_000)
})

describe('a command line asks to be signed in', () => {
  const start = async () =>
    (await (
      await fetch(`${world.url}/app/api/auth/device/code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: 'les-cli' }),
      })
    ).json()) as { user_code: string; device_code: string }
  const statusOf = async (code: string) =>
    (
      await world.database.pool.query<{ status: string }>(
        'select status from sign_in."deviceCode" where "deviceCode" = $1',
        [code],
      )
    ).rows[0]?.status

  it('the page shows the code and the team, and approves or denies it [DSH-01, CLI-01]', async () => {
    const team = await world.team({ name: 'Sales West' })
    const [first, second] = [await start(), await start()]
    const opened = await pages.signedIn(team, `/device?user_code=${first.user_code}`)
    const { page } = opened
    await page.getByText(first.user_code).waitFor()
    await expect.poll(() => page.locator('main').innerText()).toContain('Sales West')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved.').waitFor()
    expect(await statusOf(first.device_code)).toBe('approved')
    await page.goto('/device')
    await page.getByLabel('Code').fill(`${second.user_code.slice(0, 4)}-${second.user_code.slice(4).toLowerCase()}`)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Denied.').waitFor()
    expect(await statusOf(second.device_code)).toBe('denied')
    await page.goto('/device?user_code=NONSENSE')
    await page.getByText('That code is not valid').waitFor()
    expectNoComplaints(opened)
  }, 120_000)

  it('who owns no team is told so, and cannot approve [AUT-05]', async () => {
    const team = await world.team()
    const { user_code } = await start()
    const { page } = await pages.signedIn(team, `/device?user_code=${user_code}`, 'member')
    await page.getByText('you do not own a team').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
  }, 120_000)
})

it(
  'the reference of the interface opens for anybody, shows an operation with its examples and refusals, and ' +
    'nothing complains [G12]',
  async () => {
    const seen = await pages.stranger('/livez')
    // One operation with its refusals: drawing all of them takes seconds.
    await seen.page.route('**/openapi.json', async (route) => {
      const json = await (await route.fetch()).json()
      const path = '/api/v1/enrich/profile'
      await route.fulfill({ json: { ...json, paths: { [path]: json.paths[path] } } })
    })
    await seen.page.goto('/docs')
    const operation = seen.page.locator('#operations-enrich-enrichProfile')
    await operation.getByText('Enrich a person, optionally tracking them').waitFor()
    await operation.locator('.opblock-summary-control').click()
    await operation.getByText('"saveTrackedProfile": true').first().waitFor()
    await operation.getByText('"jobId": "019aa2f1').first().waitFor()
    // References to shared answers are resolved.
    await expect.poll(() => operation.locator('tr.response').count()).toBeGreaterThan(10)
    await operation.locator('tr.response[data-code="409"]').getByText('spend_confirmation_required').first().waitFor()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    await operation.getByText('Missing X-API-Key header').first().waitFor()
    expectNoComplaints(seen)
  },
)
