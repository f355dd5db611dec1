import { expect, it } from 'vitest'
import { documentsOf, securityText } from '../../src/edge/http/files.ts'
import { useLocalService } from './local-service.ts'

const service = useLocalService()

const plain = async (path: string) => {
  const response = await fetch(service.url + path)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

it('robots.txt keeps crawlers out, and security.txt says where to tell of a hole, without a key (RFC 9116)', async () => {
  expect(await plain('/robots.txt')).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: 'User-agent: *\nDisallow: /\n',
  })
  const { status, type, text } = await plain('/.well-known/security.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/^Contact: http:\/\/127\.0\.0\.1:\d+\/$/),
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/),
    'Preferred-Languages: en',
    expect.stringMatching(/^Canonical: http:\/\/127\.0\.0\.1:\d+\/\.well-known\/security\.txt$/),
    '',
  ])
  expect((await service.call('HEAD', '/.well-known/security.txt')).status).toBe(200)
})

it('the collection names the address at which the service is, whatever Host a caller writes', async () => {
  const { body } = await service.call('GET', '/collection.json', { headers: { host: 'evil.example' } })
  expect(body.variable).toContainEqual({ key: 'baseUrl', value: service.url })
  const documents = documentsOf({ publicUrl: null, origin: () => 'https://leads.example' })
  expect(documents['/collection.json']!().body).toMatchObject({
    variable: [{ value: 'https://leads.example' }, { key: 'apiKey', value: '' }],
  })
})

it('the contact that was set is named, and the file expires within a year', () => {
  const nowMs = Date.UTC(2026, 10, 21, 9)
  expect(
    securityText({
      nowMs: () => nowMs,
      origin: () => 'https://leads.example',
      securityContact: 'mailto:security@leads.example',
    }),
  ).toBe(
    'Contact: mailto:security@leads.example\n' +
      'Expires: 2027-05-23T00:00:00.000Z\n' +
      'Preferred-Languages: en\n' +
      'Canonical: https://leads.example/.well-known/security.txt\n',
  )
})
