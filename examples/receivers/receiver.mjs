// Receives deliveries of the Lead Engagement Service. Node 20 or newer, no packages.
//   LES_SIGNING_SECRET=whsec_… PORT=4400 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// The key is the bytes that the base64 after whsec_ stands for, not the text.
const key = Buffer.from((process.env.LES_SIGNING_SECRET ?? '').replace(/^whsec_/, ''), 'base64')
if (key.length === 0) throw new Error('set LES_SIGNING_SECRET to the whsec_… of your team')
// In a real receiver this is a table with a unique id: the same event may come again, also after a restart.
const seen = new Set()

function isOurs(headers, body) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const wanted = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest()
  // Two signatures for a day after the secret was changed: one of them must fit.
  return (headers['x-service-signature'] ?? '').split(',').some((part) => {
    const given = Buffer.from(part.trim().replace(/^v1=/, ''), 'hex')
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  // The bytes as they came: parsed and written again they would have another signature.
  const body = Buffer.concat(parts)
  if (!isOurs(request.headers, body)) return response.writeHead(401).end()
  const event = JSON.parse(body)
  if (!seen.has(event.id)) {
    seen.add(event.id)
    console.log(`${request.headers['x-service-event']} ${event.id}`)
  }
  // At once; what takes longer than 15 seconds counts as failed and comes again.
  response.writeHead(204).end()
}).listen(Number(process.env.PORT ?? 4400), '127.0.0.1')
