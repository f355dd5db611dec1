import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openInbox, openStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let made = 0
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  inbox = await openInbox()
})
afterEach(async () => {
  await stage.drain()
  await inbox.close()
})
const source = (change: Record<string, unknown> = {}) => sourceWith({ webhookUrl: inbox.url, ...change })
const sourceWith = async (change: Record<string, unknown>) => {
  const id = await stage.makeSource(`offer-${++made}`)
  await stage.put(id, change)
  return id
}

describe('an enriched lead', () => {
  test('is never offered twice, however often enrichment completes [WHK-17]', async () => {
    const lead = await stage.detect(await source())
    await stage.offer([lead])
    await stage.drain()
    await stage.offer([lead])
    await stage.database.pool.query(`update lead set webhook_status = 'pending' where id = $1`, [lead])
    await stage.offer([lead])
    await stage.drain()
    expect(inbox.received).toHaveLength(1)
  })

  test.each([
    ['no URL is set', {}, {}, false],
    ['autoSend is false', { autoSend: false }, {}, true],
    ['icpOnly is true and it does not match', { icpOnly: true }, { isIcp: false }, true],
    ['it is raw', {}, { enrichment: 'raw' }, true],
    ['it is not enriched', {}, { enrichment: 'pending' }, true],
    ['its enrichment failed', {}, { enrichment: 'failed' }, true],
    ['it was captured without a webhook', {}, { webhookStatus: 'no_webhook' }, true],
  ] as const)('stays when %s [WHK-07, WHK-09, WHK-19, WHK-28]', async (_why, change, lead, withUrl) => {
    const id = await (withUrl ? source(change) : sourceWith({ icpOnly: false }))
    const leadId = await stage.detect(id, lead)
    await stage.drain()
    expect(await stage.delivery(leadId)).toBeUndefined()
    expect(inbox.received).toHaveLength(0)
    expect(await stage.leadStatus(leadId)).toBe('webhookStatus' in lead ? lead.webhookStatus : 'pending')
  })

  test('of an untracked source stays, also when the source is untracked after it was queued [WHK-19]', async () => {
    const id = await source()
    const queued = [await stage.detect(id), await stage.detect(id)]
    await stage.database.pool.query(`update source set status = 'inactive' where id = $1`, [id])
    const late = await stage.detect(id)
    await stage.drain()
    expect(inbox.received).toHaveLength(0)
    for (const lead of queued) expect(await stage.delivery(lead)).toMatchObject({ state: 'failed', attempts: 0 })
    expect(await stage.delivery(late)).toBeUndefined()
  })
})

describe('saving a webhook', () => {
  test('switching autoSend on delivers nothing captured before [WHK-07, WHK-09]', async () => {
    const id = await source({ autoSend: false })
    const enriching = await stage.makeLead(id, { enrichment: 'pending' })
    stage.advance(1_000)
    await stage.put(id, { autoSend: true })
    await stage.database.pool.query(`update lead set enrichment = 'completed' where id = $1`, [enriching])
    await stage.offer([enriching])
    const fresh = await stage.detect(id)
    await stage.drain()
    expect(inbox.received.map((one) => JSON.parse(one.body.toString()).lead.id)).toEqual([fresh])
  })
})
