import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverStep, pushOperations } from '../../src/modules/delivery/index.ts'
import { openInbox, openStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
beforeAll(async () => {
  ;[stage, inbox] = [await openStage(), await openInbox()]
})
afterAll(async () => {
  await inbox.close()
  await stage.close()
})

const push = (id: string) =>
  pushOperations({ faultPoint: async () => {} }).pushSource(
    { id } as never,
    stage.context(stage.teamId) as never,
  ) as unknown as Promise<{ queued: number }>

test.each([
  [200, 'sent', 1],
  [500, 'pending', 1],
] as const)(
  'a push sends nothing beside an attempt in flight, also after its URL was cleared and set again; answered %s it is %s [WHK-17]',
  async (status, state, requests) => {
    const id = await stage.makeSource(`in-flight-${status}`)
    await stage.put(id, { webhookUrl: inbox.url })
    const lead = await stage.detect(id)
    const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before = inbox.received.length
    inbox.reply = (response) => {
      arrived.resolve()
      void answer.promise.then(() => response.writeHead(status).end())
    }
    const attempt = stage.step()
    await arrived.promise
    expect(await push(id)).toMatchObject({ queued: 0 })
    await stage.put(id, { webhookUrl: '' })
    await stage.put(id, { webhookUrl: inbox.url })
    expect(await push(id)).toMatchObject({ queued: 1 })
    expect(await deliverStep(stage.deps)()).toBe('idle')
    answer.resolve()
    await attempt
    expect(inbox.received).toHaveLength(before + requests)
    expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual([
      state,
      state === 'sent' ? 'sent' : 'pending',
    ])
    inbox.reply = (response) => void response.end()
    stage.advance(60_000)
    await stage.drain()
    expect(await stage.leadStatus(lead)).toBe('sent')
  },
)

test('a push tells what is under way right now [WHK-24]', async () => {
  const id = await stage.makeSource('under-way')
  await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
  for (const name of ['Ann', 'Ben']) await stage.makeLead(id, { name, webhookStatus: 'no_webhook' })
  const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  inbox.reply = (response) => {
    arrived.resolve()
    void answer.promise.then(() => response.end())
  }
  const { pushId } = (await push(id)) as unknown as { pushId: string }
  const progress = () =>
    pushOperations({ faultPoint: async () => {} }).getPush({ pushId } as never, stage.context(stage.teamId))
  const attempt = stage.step()
  await arrived.promise
  expect(await progress()).toMatchObject({
    counts: { pending: 1, sending: 1, delivered: 0, failed: 0, held: 0 },
    total: 2,
    finished: false,
  })
  answer.resolve()
  await attempt
  await stage.drain()
  expect(await progress()).toMatchObject({
    counts: { pending: 0, sending: 0, delivered: 2, failed: 0, held: 0 },
    total: 2,
    finished: true,
  })
})
