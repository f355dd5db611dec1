import { describe, expect, test } from 'vitest'
import { deliverStep, deliveryWork, offerLeads } from '../../src/modules/delivery/index.ts'
import { endAllLeases } from '../../src/platform/work/index.ts'
import { answer, useSources, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
useSources('crash', (opened) => ({ stage, inbox, id } = opened))

const leaseMs = 60_000
const idsReceived = () => inbox.received.map((one) => one.headers['webhook-id'])

describe('a crash', () => {
  test.each([
    ['delivery.leased', 0],
    ['delivery.sent', 1],
    ['delivery.before-commit', 1],
  ] as const)(
    'at %s delays a delivery and never loses it; what is sent again has the same id and bytes [WHK-16, WHK-17]',
    async (point, sentBefore) => {
      const lead = await stage.detect(id)
      stage.armed.set(point, 1)
      await expect(stage.step()).rejects.toThrow('armed fault')
      expect(inbox.received).toHaveLength(sentBefore)
      expect(await stage.delivery(lead)).toMatchObject({ state: 'sending', attempts: 0 })
      expect(await stage.log(lead)).toHaveLength(0)
      expect(await stage.leadStatus(lead)).toBe('pending')
      expect(await stage.step()).toBe('idle')
      stage.state.skewMs += leaseMs
      stage.advance(1_000)
      expect(await stage.drain()).toBe(1)
      expect(inbox.received).toHaveLength(sentBefore + 1)
      expect(new Set(idsReceived()).size).toBe(1)
      expect(new Set(inbox.received.map((one) => one.body.toString('hex'))).size).toBe(1)
      expect(new Set(inbox.received.map((one) => one.headers['x-service-timestamp'])).size).toBe(sentBefore + 1)
      expect([
        (await stage.delivery(lead))!.state,
        await stage.leadStatus(lead),
        (await stage.log(lead)).length,
      ]).toEqual(['sent', 'sent', 1])
    },
  )

  test('of an offer leaves no delivery, of the unit that records a failure no half of it', async () => {
    const lead = await stage.makeLead(id)
    await expect(
      stage.unitOfWork(async (tx) => {
        await offerLeads(tx, stage.teamId, [lead])
        throw new Error('crash')
      }),
    ).rejects.toThrow('crash')
    expect(await stage.delivery(lead)).toBeUndefined()
    inbox.reply = answer(410)
    await stage.offer([lead])
    stage.armed.set('delivery.before-commit', 1)
    await expect(stage.step()).rejects.toThrow('armed fault')
    expect(await stage.webhook(id)).toMatchObject({ failing_since: null, disabled_at: null })
  })

  test('of a service that is alone is over at its next start: leases are released', async () => {
    const lead = await stage.detect(id)
    stage.armed.set('delivery.sent', 1)
    await expect(stage.step()).rejects.toThrow('armed fault')
    await stage.unitOfWork((tx) => endAllLeases(tx, deliveryWork.rows[0]))
    await stage.drain()
    expect([(await stage.delivery(lead))!.state, new Set(idsReceived()).size]).toEqual(['sent', 1])
  })

  test.each([500, 200])(
    'a paused worker that wakes with a %i while the next attempt is under way writes nothing, and leaves that its lease [WHK-17]',
    async (first) => {
      const lead = await stage.detect(id)
      const [woken, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const [arrived, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const paused = deliverStep({
        ...stage.deps,
        faultPoint: async (point) => {
          if (point !== 'delivery.sent') return
          reached.resolve()
          await woken.promise
        },
      })
      inbox.reply = (response, count) => {
        if (count === 1) return answer(first)(response)
        arrived.resolve()
        void ending.promise.then(() => answer(200)(response))
      }
      const zombie = paused()
      await reached.promise
      stage.state.skewMs += leaseMs
      const next = stage.step()
      await arrived.promise
      woken.resolve()
      await zombie
      expect(await stage.delivery(lead)).toMatchObject({ state: 'sending', attempts: 0 })
      expect([await stage.leadStatus(lead), await stage.log(lead)]).toEqual(['pending', []])
      expect(await stage.step()).toBe('idle')
      ending.resolve()
      await next
      expect([(await stage.delivery(lead))!.state, (await stage.log(lead)).map((line) => line.status)]).toEqual([
        'sent',
        [200],
      ])
      expect(inbox.received).toHaveLength(2)
    },
  )

  test.each([500, 200])(
    'a paused worker that wakes after the takeover with a %i writes nothing [WHK-17]',
    async (first) => {
      const lead = await stage.detect(id)
      const woken = Promise.withResolvers<void>()
      const reached = Promise.withResolvers<void>()
      const paused = deliverStep({
        ...stage.deps,
        faultPoint: async (point) => {
          if (point !== 'delivery.sent') return
          reached.resolve()
          await woken.promise
        },
      })
      inbox.reply = (response, count) => answer(count === 1 ? first : 200)(response)
      const zombie = paused()
      await reached.promise
      stage.state.skewMs += leaseMs
      await stage.drain()
      woken.resolve()
      await zombie
      expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual(['sent', 'sent'])
      expect((await stage.log(lead)).map((line) => line.status)).toEqual([200])
      expect((await stage.webhook(id))?.failing_since).toBeNull()
    },
  )
})

describe('several workers', () => {
  test('never send one row twice, and hold to five attempts at once for one endpoint [WHK-17]', async () => {
    const leads: string[] = []
    for (let count = 0; count < 30; count++) leads.push(await stage.detect(id))
    let [open, most] = [0, 0]
    const waiting: (() => void)[] = []
    inbox.reply = (response) => {
      open += 1
      most = Math.max(most, open)
      waiting.push(() => {
        open -= 1
        response.end()
      })
      // Answers only once five requests wait, on any machine, and then allows time for a sixth.
      if (most >= 5) setTimeout(() => waiting.splice(0).forEach((end) => void end()), 60)
    }
    await Promise.all(
      Array.from({ length: 8 }, () =>
        stage.drain(deliverStep({ ...stage.deps, processId: stage.ids.uuid(stage.state.now) })),
      ),
    )
    await stage.drain()
    expect(inbox.received).toHaveLength(30)
    expect(new Set(idsReceived()).size).toBe(30)
    expect(most).toBe(5)
    for (const lead of leads) expect(await stage.leadStatus(lead)).toBe('sent')
  })

  test('hold to five attempts at once, however far ahead they lease for an endpoint that was quick [WHK-17]', async () => {
    const workers = [1, 2].map(() => deliverStep({ ...stage.deps, processId: stage.ids.uuid(stage.state.now) }))
    for (let count = 0; count < 20; count++) await stage.detect(id)
    for (const worker of workers) {
      for (let count = 0; count < 10; count++) await stage.detect(id)
      await stage.drain(worker)
    }
    const before = inbox.received.length
    for (let count = 0; count < 60; count++) await stage.detect(id)
    let [open, most] = [0, 0]
    const [five, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    inbox.reply = (response) => {
      open += 1
      most = Math.max(most, open)
      if (open === 5) five.resolve()
      void answered.promise.then(() => {
        open -= 1
        response.end()
      })
    }
    const first = workers[0]!()
    await five.promise
    const beside = workers[0]!()
    expect(await workers[1]!()).toBe('idle')
    answered.resolve()
    await Promise.all([first, beside])
    for (const worker of workers) await stage.drain(worker)
    expect(inbox.received.length - before).toBe(60)
    expect(new Set(idsReceived()).size).toBe(inbox.received.length)
    expect(most).toBe(5)
  })

  test('serve the team served longest ago first, so that one backlog does not hold up the others', async () => {
    for (let count = 0; count < 20; count++) await stage.detect(id)
    const teams: string[] = []
    for (let count = 0; count < 3; count++) {
      const team = (await stage.makeTeam()).team.id
      const source = await stage.makeSource('small', team)
      await stage.put(source, { webhookUrl: `${inbox.url}/${count}` }, team)
      await stage.detect(source, { team })
      teams.push(team)
    }
    for (let count = 0; count < 5; count++) await stage.step()
    expect(inbox.received.filter((one) => /\/\d$/.test(one.path))).toHaveLength(3)
    await stage.drain()
    expect(inbox.received).toHaveLength(23)
  })

  test('try an endpoint that keeps failing by one attempt at a time', async () => {
    inbox.reply = answer(500)
    await stage.detect(id)
    await stage.drain()
    stage.advance(61_000)
    for (let count = 0; count < 6; count++) await stage.detect(id)
    let [open, most] = [0, 0]
    inbox.reply = (response) => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        answer(500)(response)
      }, 60)
    }
    await Promise.all(Array.from({ length: 4 }, () => stage.drain(deliverStep(stage.deps))))
    expect(most).toBe(1)
  })
})
