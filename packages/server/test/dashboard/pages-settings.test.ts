import { describe, expect, it } from 'vitest'
import { expectNoComplaints, findings, useWorldWithPages } from './browser.ts'
import { wholeRows } from './leads-stage.ts'

const { world, pages } = useWorldWithPages()

describe('settings', () => {
  it('make an API key that is shown once and works, and revoke it [DSH-01, AUT-05]', async () => {
    const { page, complaints } = await pages.signedIn(await world.team(), '/settings?tab=keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('CRM\u202e sync')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('textbox', { name: 'CRM sync' }).inputValue()
    const status = async () => (await fetch(`${world.url}/api/v1/credits`, { headers: { 'x-api-key': key } })).status
    expect(await status()).toBe(200)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByText('CRM sync').first().waitFor()
    expect(await page.content()).not.toContain(key)
    await page
      .getByRole('row', { name: /CRM sync/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('The key was revoked').waitFor()
    expect(await status()).toBe(401)
    expectNoComplaints({ complaints })
  })

  it('store the key of an AI vendor, say that it is stored, never show it, and forget it [DSH-02, AIF-02, AUT-17]', async () => {
    const { page, complaints } = await pages.signedIn(await world.team(), '/settings?tab=credentials')
    await page.getByRole('button', { name: 'Store a key of OpenAI' }).click()
    await page.getByLabel('Key', { exact: true }).fill('a-good-key-of-the-team')
    await page.getByRole('button', { name: 'Try it and store it' }).click()
    // The sandbox accepts any key, so the page must not say that the key works [FIX-12].
    await page.getByText('The real vendor was not asked: in the sandbox, a stand-in accepts any key.').waitFor()
    expect(await page.content()).not.toContain('a-good-key-of-the-team')
    await page.getByRole('button', { name: 'Forget the key of OpenAI' }).click()
    await page.getByRole('button', { name: 'Forget the key', exact: true }).click()
    await page.getByRole('button', { name: 'Store a key of OpenAI' }).waitFor()
    expectNoComplaints({ complaints })
  })

  it('invite somebody, take the invitation back, and list both in the audit log under who did it', async () => {
    const { page, member } = await pages.signedIn(await world.team(), '/settings?tab=members')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('new.colleague@example.com')
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByText('new.colleague@example.com').waitFor()
    // The invitation's page names inviter and team and fills in the address.
    const sent = () => world.mails.findLast(({ to }) => to === 'new.colleague@example.com')?.text
    await expect.poll(sent).toContain('/invite?token=')
    const guest = (await pages.stranger(/\/invite\?token=\S+/.exec(sent()!)![0])).page
    await guest.getByText(`${member.email} invited you to`).waitFor()
    await guest.getByRole('link', { name: 'Sign up' }).click()
    await guest.getByRole('button', { name: 'Create account' }).waitFor()
    await guest.getByText(/as viewer: you may see everything/).waitFor()
    await expect
      .poll(() => guest.getByRole('textbox', { name: 'Work email' }).inputValue())
      .toBe('new.colleague@example.com')
    expect(await findings(guest)).toEqual([])
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('new.colleague@example.com').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Audit log' }).click()
    await page.getByText(`${member.email} took an invitation back`).waitFor()
    await page.getByRole('row', { name: 'invited new.colleague@example.com as viewer' }).waitFor()
    expect((await member.get('/audit')).body.entries.length).toBeGreaterThanOrEqual(2)
  })

  it('show a viewer what only owners may do, and a member may do it once made an owner', async () => {
    const team = await world.team()
    const viewer = await pages.signedIn(team, '/settings?tab=keys', 'viewer')
    const make = viewer.page.getByRole('button', { name: 'New key' }).first()
    await expect.poll(() => make.getAttribute('aria-disabled')).toBe('true')
    const { page } = await pages.signedIn(team, '/settings?tab=members')
    await page
      .getByRole('row', { name: new RegExp(viewer.member.email) })
      .getByRole('combobox')
      .selectOption('owner')
    await page.getByText('The role was changed').waitFor()
    await viewer.page.reload()
    await make.click()
    await viewer.page.getByRole('dialog', { name: 'New API key' }).waitFor()
  })

  it('say of a team whose trial has ended why nothing is shown [DSH-04]', async () => {
    const team = await world.team()
    const { page } = await pages.signedIn(team, '/settings')
    await team.change({ status: 'expired' })
    await page.reload()
    await page.getByText('The subscription of this team has ended').waitFor()
    await page.goto('/keyword')
    await page.getByText('The free trial or plan of this team has ended').waitFor()
  })
})

describe('the page of API calls', () => {
  it('lists calls, narrows them, and shows one as commands that make it again', async () => {
    const team = await world.team()
    await team.post('/keyword/estimate', { keywords: ['hiring'], nonsense: 1 })
    await team.get('/nowhere')
    const { page, complaints } = await pages.signedIn(team, '/requests?status=4xx')
    await page.getByText('GET /nowhere').waitFor()
    await page.getByLabel('Answer').selectOption('')
    await page.getByRole('button', { name: 'estimateKeyword' }).click()
    await page.getByText('les keyword estimate').or(page.getByText('les api POST')).waitFor()
    await page.getByText('curl --request POST').waitFor()
    expect(await findings(page)).toEqual([])
    expectNoComplaints({ complaints })
  })
})

describe('the sample team', () => {
  it('is opened from the list of teams and from the first steps, says on its pages that it is made up, and leads back', async () => {
    const team = await world.team()
    const { page, complaints } = await pages.signedIn(team, '/home', 'owner', { width: 1440, height: 900 })
    const teams = page.getByRole('button', { name: /^Switch team/ }).first()
    const note = page.getByRole('note').filter({
      hasText: 'Everything here is made up: nothing is captured, sent, charged or changed.',
    })
    await teams.click()
    await page.getByRole('menuitem', { name: 'Look around in a sample team' }).click()
    await note.waitFor()
    await page.getByText('Made-up data').first().waitFor()
    await page.goto('/leads')
    await note.waitFor()
    await expect.poll(() => page.getByRole('grid').getByRole('row').count()).toBeGreaterThan(10)
    expect(await wholeRows({ page })).toBeGreaterThanOrEqual(18)
    expect(await findings(page)).toEqual([])
    await note.getByRole('button', { name: /^Back to / }).click()
    await note.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'See a sample team' }).click()
    await note.waitFor()
    expect((await team.get('/credits')).body.used).toBe(0)
    expectNoComplaints({ complaints })
  })
})
