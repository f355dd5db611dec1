import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuardedEgress } from '../../src/platform/egress/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ADDRESS_TRICKS } from '../egress/address-tricks.ts'
import { openInbox, openStage, refusalOf, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let strict: Stage
beforeAll(async () => {
  stage = await openStage()
  inbox = await openInbox()
  strict = await openStage({
    allowPrivate: false,
    egress: openGuardedEgress({ allowPrivate: false, system: systemClock }),
  })
})
afterAll(async () => {
  await inbox.close()
  await stage.close()
  await strict.close()
})

const nowhere = '00000000-0000-7000-8000-000000000000'

describe('webhook settings', () => {
  test('begin as null, false, true, false, with the signing secret of the team on the read only [WHK-01, WHK-02, G46]', async () => {
    const id = await stage.makeSource('defaults')
    expect(await stage.get(id)).toEqual({
      sourceId: id,
      type: 'person',
      username: 'defaults',
      webhookUrl: null,
      icpOnly: false,
      autoSend: true,
      syncEvents: false,
      signingSecret: stage.signingSecret,
    })
    expect(await stage.put(id, {})).toEqual({
      sourceId: id,
      type: 'person',
      username: 'defaults',
      webhookUrl: null,
      icpOnly: false,
      autoSend: true,
      syncEvents: false,
    })
    expect(await stage.webhook(id)).toBeUndefined()
  })

  test('are reached by handle and slug as well as by id [WHK-01]', async () => {
    const person = await stage.makeSource('ada', stage.teamId, 'person')
    const company = await stage.makeSource('acme', stage.teamId, 'company')
    const context = stage.context(stage.teamId)
    await stage.handlers.updateProfileWebhook(
      { username: 'ada', webhookUrl: 'https://a.example.com/' } as never,
      context as never,
    )
    await stage.handlers.updateCompanyWebhook({ username: 'acme', icpOnly: true } as never, context as never)
    expect(await stage.handlers.getProfileWebhook({ username: 'ada' } as never, context)).toMatchObject({
      sourceId: person,
      webhookUrl: 'https://a.example.com/',
      icpOnly: false,
    })
    expect(await stage.handlers.getCompanyWebhook({ username: 'acme' } as never, context)).toMatchObject({
      sourceId: company,
      type: 'company',
      webhookUrl: null,
      icpOnly: true,
    })
    expect((await refusalOf(stage.handlers.getProfileWebhook({ username: 'acme' } as never, context))).key).toBe(
      'not_tracked',
    )
  })

  test('are updated partially: what a request does not name stays [WHK-01, WHK-02, CON-04]', async () => {
    const id = await stage.makeSource('partial')
    await stage.put(id, { webhookUrl: 'https://hooks.example.com/a', autoSend: false, syncEvents: true })
    expect(await stage.put(id, { icpOnly: true })).toMatchObject({
      webhookUrl: 'https://hooks.example.com/a',
      icpOnly: true,
      autoSend: false,
      syncEvents: true,
    })
    expect(await stage.put(id, {})).toMatchObject({
      webhookUrl: 'https://hooks.example.com/a',
      icpOnly: true,
      autoSend: false,
      syncEvents: true,
    })
    expect(await stage.get(id)).toMatchObject({
      webhookUrl: 'https://hooks.example.com/a',
      icpOnly: true,
      autoSend: false,
      syncEvents: true,
    })
  })

  test.each([
    ['""', ''],
    ['null', null],
  ])('%s clears the URL and turns syncEvents off [WHK-04, WHK-06]', async (name, value) => {
    const id = await stage.makeSource(`clear-${name}`)
    await stage.put(id, { webhookUrl: 'https://hooks.example.com/a', syncEvents: true, icpOnly: true })
    expect(await stage.put(id, { webhookUrl: value })).toMatchObject({
      webhookUrl: null,
      syncEvents: false,
      icpOnly: true,
    })
    expect(await stage.get(id)).toMatchObject({ webhookUrl: null, syncEvents: false, icpOnly: true })
  })

  test('syncEvents needs a URL, judged on what the request results in [WHK-06]', async () => {
    const id = await stage.makeSource('sync-events')
    const refused = await refusalOf(stage.put(id, { syncEvents: true }))
    expect([refused.key, refused.message]).toEqual(['invalid_request', expect.stringMatching(/^`syncEvents` must /)])
    expect((await refusalOf(stage.put(id, { syncEvents: true, webhookUrl: '' }))).key).toBe('invalid_request')
    expect(await stage.put(id, { syncEvents: true, webhookUrl: 'https://hooks.example.com/a' })).toMatchObject({
      syncEvents: true,
    })
    expect((await refusalOf(stage.put(id, { syncEvents: true, webhookUrl: null }))).key).toBe('invalid_request')
    expect(await stage.get(id)).toMatchObject({ syncEvents: true, webhookUrl: 'https://hooks.example.com/a' })
  })

  test('an invalid body is refused before the source is looked for, a missing URL after [WHK-03, WHK-06]', async () => {
    expect((await refusalOf(strict.put(nowhere, { webhookUrl: 'http://hooks.example.com/' }))).key).toBe(
      'invalid_request',
    )
    expect((await refusalOf(strict.put(nowhere, { webhookUrl: '', syncEvents: true }))).key).toBe('invalid_request')
    expect((await refusalOf(strict.put(nowhere, { syncEvents: true }))).key).toBe('not_tracked')
    expect((await refusalOf(strict.get(nowhere))).key).toBe('not_tracked')
    expect((await refusalOf(strict.put(nowhere, {}))).key).toBe('not_tracked')
  })

  test("an untracked source and another team's are not found [WHK-26]", async () => {
    const id = await stage.makeSource('gone')
    const other = (await stage.makeTeam()).team.id
    expect((await refusalOf(stage.get(id, other))).key).toBe('not_tracked')
    expect((await refusalOf(stage.put(id, { icpOnly: true }, other))).key).toBe('not_tracked')
    await stage.database.pool.query(`update source set status = 'inactive' where id = $1`, [id])
    expect((await refusalOf(stage.get(id))).key).toBe('not_tracked')
    expect((await refusalOf(stage.put(id, {}))).key).toBe('not_tracked')
  })

  test('only a public https URL may be saved [WHK-03]', async () => {
    const id = await strict.makeSource('public')
    const bad = [
      'http://hooks.example.com/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://user:pw@hooks.example.com/',
      'not a url',
      'ftp://hooks.example.com/',
      'javascript:alert(1)',
      ' ',
    ]
    for (const url of [
      ...bad,
      ...ADDRESS_TRICKS.filter((trick) => trick !== '').map((trick) =>
        trick.replace('PORT', '8443').replace(/^http:/, 'https:'),
      ),
    ]) {
      const refused = await refusalOf(strict.put(id, { webhookUrl: url }))
      expect([url, refused.key, refused.message]).toEqual([
        url,
        'invalid_request',
        expect.stringMatching(/^`webhookUrl` must be /),
      ])
    }
    expect(await strict.webhook(id)).toBeUndefined()
    expect(await strict.put(id, { webhookUrl: 'https://hooks.example.com/in?a=1' })).toMatchObject({
      webhookUrl: 'https://hooks.example.com/in?a=1',
    })
  })

  test("the operator's switch permits http and loopback [WHK-03]", async () => {
    const id = await stage.makeSource('private')
    expect(await stage.put(id, { webhookUrl: inbox.url })).toMatchObject({ webhookUrl: inbox.url })
  })
})
