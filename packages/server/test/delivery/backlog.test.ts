/** How much of a long backlog is held, released or cancelled at once is bounded; the rest follows (WHK-19, G49). */
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { heldDue, settleHeld } from '../../src/modules/delivery/index.ts'
import { movedAtOnce } from '../../src/modules/delivery/waiting.ts'
import { holds } from '../../src/platform/db/conditions.ts'
import { answer, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
let made = 0
useStage((opened) => ({ stage, inbox } = opened))
beforeEach(async () => {
  await sql`truncate delivery, delivery_attempt`.execute(stage.db)
  inbox.reply = answer(200)
  id = await stage.makeSource(`backlog-${++made}`)
  await stage.put(id, { webhookUrl: inbox.url })
})

/** Inserts deliveries of the source, due long ago. */
const fill = async (count: number, state: string, failures = 0) =>
  sql`
    insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at, unexpected_failures)
    select ${stage.teamId}, gen_random_uuid(), ${id}, 'sync.completed', ${state} || ${failures}::int || ' ' || i, ${state},
      '{}', ${stage.state.now}::timestamptz - interval '1 hour', ${stage.state.now}, ${failures}
    from generate_series(1, ${count}::int) i`.execute(stage.db)

const states = async () =>
  Object.fromEntries(
    (
      await sql<{ state: string; count: number }>`
        select state, count(*)::integer as count from delivery where owner_id = ${id} group by 1`.execute(stage.db)
    ).rows.map(({ state, count }) => [state, count]),
  )
const due = () => holds(stage.db, heldDue())
const whole = 2 * movedAtOnce + 2_000

describe('an endpoint with more than can be moved at once', () => {
  test('that is gone gets nothing more, while what waits is held some at a time', async () => {
    await fill(whole, 'pending')
    await stage.unitOfWork(async (tx) => tx.enqueue('delivery', stage.teamId))
    inbox.reply = answer(410)
    const before = inbox.received.length
    expect(await stage.step()).toBe('worked')
    expect(await states()).toEqual({ held: movedAtOnce + 1, pending: whole - movedAtOnce - 1 })
    await stage.drain()
    expect([inbox.received.length - before, await states()]).toEqual([1, { held: whole }])
    expect(await due()).toBe(false)
  })

  test('that is saved lets all of it go: some at once, what the service had failed at too often first, and the rest by itself', async () => {
    await fill(whole, 'held')
    await fill(movedAtOnce, 'held', 5)
    await stage.put(id, { webhookUrl: inbox.url })
    expect([await states(), await due()]).toEqual([{ pending: 2 * movedAtOnce, held: whole - movedAtOnce }, true])
    const failed = await sql`select 1 from delivery where owner_id = ${id} and unexpected_failures > 0`.execute(
      stage.db,
    )
    expect(failed.rows).toEqual([])
    expect(await settleHeld(stage.deps)).toBe(whole - movedAtOnce)
    expect([await states(), await due()]).toEqual([{ pending: whole + movedAtOnce }, false])
  })

  test('holds what its service has failed at for good, and all of it while it is disabled', async () => {
    await fill(3, 'held', 5)
    expect([await due(), await settleHeld(stage.deps)]).toEqual([false, 0])
    await fill(3, 'held')
    await sql`update webhook set disabled_at = ${stage.state.now}, disabled_reason = 'gone'
      where owner_id = ${id}`.execute(stage.db)
    expect([await due(), await settleHeld(stage.deps)]).toEqual([false, 0])
    expect(await states()).toEqual({ held: 6 })
  })

  test('of a source that is untracked is given up, some at a time', async () => {
    await fill(whole, 'pending')
    await fill(whole, 'held')
    await sql`update source set status = 'inactive', untracked_at = ${stage.state.now} where id = ${id}`.execute(
      stage.db,
    )
    await stage.unitOfWork(async (tx) => tx.enqueue('delivery', stage.teamId))
    const before = inbox.received.length
    expect(await stage.step()).toBe('worked')
    // The claimed delivery may be one of those moved at once or an additional one: claims of the same instant have no order.
    expect([movedAtOnce, movedAtOnce + 1]).toContain((await states()).failed)
    await settleHeld(stage.deps)
    await stage.drain()
    expect([inbox.received.length - before, await states(), await due()]).toEqual([0, { failed: 2 * whole }, false])
  })
})
