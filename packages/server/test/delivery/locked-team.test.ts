/** A team whose rows are locked for long delays no other team's deliveries, and none is sent twice because of it. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deliverStep } from '../../src/modules/delivery/index.ts'
import { openInbox, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))

test('while the leads of a team are locked the deliveries of others go on, and all of them are sent once', async () => {
  const { team } = await stage.makeTeam()
  const busy = await openInbox()
  const [locked, other] = [await stage.makeSource('locked'), await stage.makeSource('other', team.id)]
  await stage.put(locked, { webhookUrl: busy.url })
  await stage.put(other, { webhookUrl: inbox.url }, team.id)
  const theirs: string[] = []
  for (let count = 0; count < 40; count++) theirs.push(await stage.detect(locked))
  const session = await stage.database.pool.connect()
  await session.query('begin')
  await session.query('select 1 from lead where id = any($1) for update', [theirs])
  const step = deliverStep(stage.deps)
  const working = stage.drain(step)
  working.catch(() => {})
  await expect.poll(() => busy.received.length).toBeGreaterThan(0)
  const ours: string[] = []
  for (let count = 0; count < 60; count++) ours.push(await stage.detect(other, { team: team.id }))
  const sent = async () =>
    (
      await sql<{ sent: number }>`select count(*)::integer as sent from delivery
        where team_id = ${team.id} and state = 'sent'`.execute(stage.db)
    ).rows[0]!.sent
  const whileLocked = await expect
    .poll(sent)
    .toBe(ours.length)
    .then(
      () => 'all sent',
      (error: unknown) => error,
    )
  await session.query('rollback')
  session.release()
  await working
  await stage.drain(step)
  await busy.close()
  expect(whileLocked).toBe('all sent')
  expect([busy.received.length, inbox.received.length]).toEqual([theirs.length, ours.length])
})

test('a step that ends because a record waited too long gives back what it has not sent', async () => {
  const source = await stage.makeSource('waits')
  await stage.put(source, { webhookUrl: inbox.url })
  for (let count = 0; count < 80; count++) await stage.detect(source)
  const before = inbox.received.length
  const late = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  // Once the step has leased ahead for a fast endpoint, recording fails.
  const step = deliverStep({
    ...stage.deps,
    faultPoint: async (point) => {
      if (point === 'delivery.before-commit' && inbox.received.length - before > 20) throw late
    },
  })
  await expect(step()).rejects.toBe(late)
  const { rows } = await sql<{ id: string; state: string }>`
    select id, state from delivery where owner_id = ${source} and (state = 'sent' or lease_owner is not null)`.execute(
    stage.db,
  )
  const received = inbox.received.slice(before).map(({ headers }) => headers['webhook-id'])
  expect(received.length).toBeLessThan(80)
  expect(rows.map(({ id }) => id).toSorted()).toEqual(received.toSorted())
})
