/** Where leads go by themselves, in a real browser: webhooks and the outreach platform. */
import { describe, expect, it } from 'vitest'
import { capture, connect, fans, handlesIn, ok, seedCampaign } from '../scenarios/outreach-stage.ts'
import { expectNoComplaints, useWorldWithPages } from './browser.ts'
import { nameOfPerson } from './source-stage.ts'

const { world, pages } = useWorldWithPages()

async function delivered(status: number) {
  const team = await world.team({ credits: 1_000 })
  const inbox = await world.inbox()
  inbox.answer(status)
  const source = await capture(world, team, fans(3, { name: 'Ann Able' }), {
    before: async (id) => void (await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))),
  })
  return { team, inbox, source }
}

describe('the webhook of a source', () => {
  it('is set, tried out with a marked sample, and its secret is shown only when asked for', async () => {
    const team = await world.team({ credits: 1_000 })
    const inbox = await world.inbox()
    const { id } = await capture(world, team, fans(1))
    const { page, complaints } = await pages.signedIn(team, `/sources/${id}?tab=webhook`, 'member')
    await page.getByLabel('Address').fill(inbox.url)
    await page.getByRole('button', { name: 'Save webhook' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('Delivered: your address answered 200').waitFor()
    expect(inbox.received.map(({ body }) => [body.event, body.sample])).toEqual([['lead.detected', true]])
    await expect.poll(() => page.getByText(team.signingSecret).count()).toBe(0)
    await page.getByRole('button', { name: 'Show secret' }).click()
    await expect.poll(() => page.getByLabel('Signing secret').inputValue()).toBe(team.signingSecret)
    await page.getByRole('button', { name: 'Send leads captured before' }).click()
    await page.getByRole('button', { name: 'Send 1 lead', exact: true }).click()
    await page.getByText('Sending 1 lead to').waitFor()
    await world.advance('10s')
    await page.getByText('1 lead on the way to').waitFor()
    await world.drain()
    expect(inbox.received.map(({ body }) => body.sample)).toEqual([true, undefined])
    expectNoComplaints({ complaints })
  })
})

describe('the log of deliveries', () => {
  it('filters by state, shows payload and attempts, and sends one again', async () => {
    const { team, inbox } = await delivered(200)
    const { page, complaints } = await pages.signedIn(team, '/webhooks?tab=log')
    await page.getByRole('grid', { name: 'Deliveries' }).getByText('Delivered').nth(2).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByRole('combobox').fill('ann able')
    await page
      .getByRole('option', { name: /^Delivery of Ann Able/ })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('"event": "lead.detected"').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('State').selectOption({ label: 'Failed' })
    await page.getByText('No delivery matches').waitFor()
    expect(new URL(page.url()).searchParams.get('state')).toBe('failed')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Ann Able' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await drawer.getByText('"event": "lead.detected"').waitFor()
    await drawer.getByText('Attempt 1', { exact: true }).waitFor()
    await drawer.getByRole('button', { name: 'Send it again' }).click()
    await page.getByRole('button', { name: 'Send 1 delivery' }).click()
    await page.getByText('Sending 1 delivery to').waitFor()
    await world.advance('10s')
    await world.drain()
    expect(inbox.received).toHaveLength(4)
    const ids = inbox.received.map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(3)
    await drawer.getByText('Attempt 2', { exact: true }).waitFor()
    expectNoComplaints({ complaints })
  })
})

describe('the signature debugger', () => {
  it('says that a delivery is right, and what is wrong with one that was changed', async () => {
    const { team, inbox } = await delivered(200)
    const { headers, raw } = inbox.received[0]!
    const { page } = await pages.signedIn(team, '/webhooks?tab=verify', 'member')
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByText('def is_genuine').waitFor()
    await page.getByLabel('Headers').fill(
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    )
    await page.getByLabel('Body').fill(raw.toString('utf8'))
    await page.getByRole('button', { name: 'Check the signature' }).click()
    await page.getByText('The signature is right').waitFor()
    await page.getByLabel('Body').fill(`${raw.toString('utf8')} `)
    await page.getByRole('button', { name: 'Check the signature' }).click()
    await page.getByText('The signature is not right').waitFor()
    await expect
      .poll(() => page.getByRole('region', { name: 'Findings' }).getByRole('listitem').count())
      .toBeGreaterThan(0)
  })
})

describe('outreach', () => {
  it('without a key says where to store it', async () => {
    const team = await world.team()
    const { page, complaints } = await pages.signedIn(team, '/outreach')
    await page.getByText('Not connected').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Store the key' }).getAttribute('href'))
      .toMatch(/^\/settings\?tab=credentials/)
    expectNoComplaints({ complaints })
  })

  it('sends the leads of a source that match, past ones too when asked, and counts them by campaign', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Autumn founders' }, { credits: 1_000 })
    seedCampaign(world, key, { name: 'Winter', status: 'DRAFT' })
    const { id, handles, username } = await capture(world, team, [{ title: 'Head of Growth' }, { title: 'Engineer' }])
    const { page, complaints } = await pages.signedIn(team, `/sources/${id}?tab=outreach`, 'member')
    await expect
      .poll(() => page.getByLabel('Campaign').getByRole('option', { name: 'Winter (still a draft)' }).isDisabled())
      .toBe(true)
    await page.getByLabel('Campaign').selectOption({ label: 'Autumn founders' })
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.getByLabel('Value of row 1').fill('growth')
    await page.getByRole('checkbox', { name: /Also send leads captured before/ }).click()
    await page.getByRole('button', { name: 'Start sending' }).click()
    await page.getByText('1 match and 1 will be sent').waitFor()
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual([handles[0]])
    await page.goto('/outreach')
    const results = page.getByRole('grid', { name: 'Results by campaign' })
    await results.getByText('Autumn founders').waitFor()
    await expect.poll(() => results.getByRole('row').nth(1).getByRole('gridcell').nth(1).innerText()).toBe('1')
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByRole('link', { name: nameOfPerson(world, username) }).waitFor()
    await page.getByText('Only if Job title contains "growth"').waitFor()
    expectNoComplaints({ complaints })
  })
})
