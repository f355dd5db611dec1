import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuardedEgress } from '../../src/platform/egress/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ADDRESS_TRICKS } from '../egress/address-tricks.ts'
import { openStage, refusalOf, type Stage } from './stage.ts'

let strict: Stage
beforeAll(async () => {
  const egress = openGuardedEgress({ allowPrivate: false, system: systemClock })
  strict = await openStage({ allowPrivate: false, egress })
})
afterAll(() => strict.close())

const nowhere = '00000000-0000-7000-8000-000000000000'

describe('webhook settings', () => {
  test('an invalid body is refused before the source is looked for, a missing URL after [WHK-03, WHK-06]', async () => {
    expect((await refusalOf(strict.put(nowhere, { webhookUrl: 'http://hooks.example.com/' }))).key).toBe(
      'invalid_request',
    )
    expect((await refusalOf(strict.put(nowhere, { webhookUrl: '', syncEvents: true }))).key).toBe('invalid_request')
    expect((await refusalOf(strict.put(nowhere, { syncEvents: true }))).key).toBe('not_tracked')
    expect((await refusalOf(strict.get(nowhere))).key).toBe('not_tracked')
    expect((await refusalOf(strict.put(nowhere, {}))).key).toBe('not_tracked')
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
})
