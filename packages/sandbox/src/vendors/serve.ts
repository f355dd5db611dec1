import { setTimeout as sleep } from 'node:timers/promises'
import type { Call, FaultRule } from '../traffic.ts'
import { withBareHandles, withHostileText, withNullFields, withoutFields } from './corruption.ts'
import { send, sendHuge, type Exchange, type Reply } from './exchange.ts'
import type { Answering, Vendor, VendorContext } from './vendor.ts'

const STATUS_OF: Record<string, [number, string]> = {
  status_429: [429, 'Too many requests'],
  per_minute: [429, 'Too many requests'],
  status_500: [500, 'Internal server error'],
  status_503: [503, 'Service unavailable'],
}
const HTML =
  '<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1></body></html>'
const HUGE = 64 * 1024 * 1024

/** A logged call: `answer` records how it ended, `gone` aborts when the client leaves. */
type OpenCall = { readonly call: Call; readonly gone: AbortSignal; readonly answer: (reply: Reply) => void }

/** Answers one call to a data vendor: log, key, limits, holds, faults, answer. The path is below the vendor's address. */
export async function serveVendor(vendor: Vendor, exchange: Exchange): Promise<void> {
  const { inside, request, path } = exchange
  const operation = vendor.operationAt(path)
  const open = openCall(vendor.name, operation ?? path, exchange)
  const { answer } = open
  const key = `${vendor.name}:${vendor.keyOf(request.headers)}`
  const context = contextOf(key, operation ?? '', exchange)
  if (request.method !== 'GET') return answer(vendor.failure(405, 'Method not allowed', context))
  const refusal = vendor.refuse(request.headers, path, inside.clock.now())
  if (refusal) return answer(refusal)
  if (operation === undefined) return answer(vendor.failure(404, `Cannot GET ${path}`, context))
  const limited = vendor.limitsInFlight
  if (limited && !(await inside.admission.enter(key, context.account.inFlight, context.account.queue)))
    return answer(vendor.failure(429, 'Too many concurrent requests', context))
  try {
    await play(vendor, exchange, { ...open, context })
  } finally {
    if (limited) inside.admission.leave(key)
  }
}

/** Answers one call of an account without limits: log, refusal if any, holds, faults, answer. */
export async function playCall(
  vendor: Answering,
  exchange: Exchange,
  made: { operation: string; query: Exchange['query']; key?: string; refusal: Reply | undefined },
): Promise<void> {
  const shown: Exchange = { ...exchange, path: made.operation, query: made.query }
  const open = openCall(vendor.name, made.operation, shown)
  if (made.refusal) return open.answer(made.refusal)
  const context = contextOf(`${vendor.name}:${made.key ?? ''}`, made.operation, shown)
  await play(vendor, shown, { ...open, context })
}

function openCall(vendor: string, operation: string, { inside, query, response }: Exchange): OpenCall {
  const call = inside.log.open({ vendor, operation, query, at: inside.clock.now() })
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished && typeof call.status !== 'number' && call.status !== 'reset') call.status = 'gone'
    gone.abort()
  })
  const answer = (reply: Reply): void => {
    call.status = reply.status
    send(response, reply)
  }
  return { call, gone: gone.signal, answer }
}

async function play(
  vendor: Answering,
  { inside, response }: Exchange,
  { call, gone, answer, context }: OpenCall & { readonly context: VendorContext },
): Promise<void> {
  if (inside.holds.isHeld(call)) {
    call.status = 'waiting'
    await inside.holds.wait(call, gone)
  }
  const { delayMs, fault } = inside.faults.draw(call, inside.clock.now())
  if (fault) call.fault = fault.kind
  if (delayMs > 0) await sleep(delayMs, undefined, { signal: gone }).catch(() => undefined)
  if (fault?.kind === 'hang') {
    call.status = 'hanging'
    await inside.holds.wait(call, gone, true)
  }
  if (gone.aborted) {
    call.status = 'gone'
    return
  }
  const current = { ...context, now: inside.clock.now(), fault }
  if (fault?.kind === 'reset') {
    call.status = 'reset'
    response.socket?.resetAndDestroy()
    return
  }
  if (fault?.kind === 'lost_reply') {
    vendor.answer(current)
    if (fault.status !== undefined) return answer(vendor.failure(fault.status, 'The request failed', current))
    call.status = 'reset'
    response.socket?.resetAndDestroy()
    return
  }
  if (fault?.kind === 'huge_body') {
    call.status = 200
    return sendHuge(response, fault.bytes ?? HUGE, gone)
  }
  answer(misbehaved(vendor, current, fault))
}

function misbehaved(vendor: Answering, context: VendorContext, fault: FaultRule | undefined): Reply {
  const status =
    fault?.kind === 'status' ? ([fault.status ?? 500, 'The request failed'] as const) : STATUS_OF[fault?.kind ?? '']
  if (status) {
    const reply = vendor.failure(status[0], status[1], context)
    if (fault?.retryAfterS === undefined) return reply
    const at = new Date(context.now.getTime() + fault.retryAfterS * 1000)
    const wait = fault.retryAs === 'date' ? at.toUTCString() : String(fault.retryAfterS)
    return { ...reply, headers: { ...reply.headers, 'retry-after': wait } }
  }
  if (fault?.kind === 'quota')
    return vendor.quota?.(context) ?? vendor.failure(429, 'The calls of the day are used up', context)
  if (fault?.kind === 'error_in_200')
    return vendor.failureIn200?.(context) ?? { ...vendor.failure(500, 'The request failed', context), status: 200 }
  if (fault?.kind === 'not_found') return vendor.notFound?.(context) ?? vendor.failure(404, 'Not found', context)
  if (fault?.kind === 'html_200' || fault?.kind === 'html_502')
    return {
      status: fault.kind === 'html_200' ? 200 : 502,
      body: null,
      text: HTML,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    }
  const reply = vendor.answer(context)
  if (reply.text !== undefined || reply.status !== 200) return reply
  if (fault?.kind === 'truncated_json') {
    const text = JSON.stringify(reply.body)
    return { ...reply, text: text.slice(0, Math.floor(text.length * 0.6)) }
  }
  if (fault?.kind === 'hostile_text') return { ...reply, body: withHostileText(reply.body) }
  if (fault?.kind === 'missing_fields') return { ...reply, body: withoutFields(reply.body, fault.fields) }
  if (fault?.kind === 'null_fields')
    return { ...reply, body: withNullFields(reply.body, { fields: fault.fields, rows: fault.rows }) }
  if (fault?.kind === 'bare_handles') return { ...reply, body: withBareHandles(reply.body) }
  return reply
}

function contextOf(key: string, operation: string, { inside, path, query }: Exchange): VendorContext {
  const limits = inside.world.limits()
  const spending = inside.spending.get(key) ?? { spent: 0 }
  inside.spending.set(key, spending)
  const account = Object.assign(spending, { inFlight: limits.harvestapiConcurrency, queue: limits.harvestapiQueue })
  return {
    network: inside.network,
    seed: inside.world.seed,
    now: inside.clock.now(),
    operation,
    path,
    query,
    account,
    fault: undefined,
  }
}
