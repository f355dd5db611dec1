import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the raw bytes (a Buffer or a string), before any JSON parser has seen them
export function isGenuine(headers, body, secret, now = Date.now()) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(timestamp + '.').update(body).digest()
  return (headers['x-service-signature'] ?? '').split(',').some((part) => {
    const given = Buffer.from(part.trim().replace(/^v1=/, ''), 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
