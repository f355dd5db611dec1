import type { EventName } from '@les/contract'
import type { Given } from '../commands/own-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { causeOf, Failure, usage } from '../failure.ts'
import { printOutcome } from '../output/print.ts'
import { findSecret, type SecretOptions } from './secret.ts'
import { signedHeaders } from './delivery.ts'

type Sample = { readonly id: string; readonly event: string; readonly body: Buffer }

/** An example event with this id and time, marked as a sample. */
export async function sampleOf(event: string, id: string, nowMs: number): Promise<Sample> {
  const { eventExamples } = await import('@les/contract')
  const payload = { ...eventExamples[event as EventName], sample: true, id, sentAt: new Date(nowMs).toISOString() }
  return { id, event, body: Buffer.from(JSON.stringify(payload)) }
}

/** Accepts loopback addresses only: a real receiver must not take the invented event for real. */
function localAddress(text: string): URL {
  const url = URL.parse(text)
  const isLocal =
    url &&
    /^https?:$/.test(url.protocol) &&
    (/^127(?:\.\d+){3}$/.test(url.hostname) ||
      url.hostname === '[::1]' ||
      url.hostname === 'localhost' ||
      url.hostname.endsWith('.localhost'))
  if (!isLocal)
    throw usage('--to must be an address on this machine, for example http://127.0.0.1:4400/: samples go nowhere else')
  return url
}

const timeoutMs = 15_000

/** Sends a sample and prints the receiver's answer; exits with 1 unless it succeeded. */
export async function trigger({ args, options, shell }: Given<SecretOptions & { readonly to: string }>): Promise<void> {
  const url = localAddress(options.to)
  const secret = await findSecret(options, shell)
  const sample = await sampleOf(args[0]!, shell.newId(), shell.now())
  const request = {
    method: 'POST',
    headers: signedHeaders(secret, sample, Math.floor(shell.now() / 1000)),
    body: new Uint8Array(sample.body),
    redirect: 'manual',
    signal: AbortSignal.any([shell.signal, AbortSignal.timeout(timeoutMs)]),
  } as const
  const { status } = await shell.fetch(url, request).catch((error: unknown) => {
    throw new Failure(
      exitCodes.api,
      `nobody answers at ${url.href} (${causeOf(error)}): start les webhooks listen, or your own receiver`,
    )
  })
  const { id, event } = sample
  printOutcome({ options, shell }, { id, event, to: url.href, status, sample: true }, ['sent', event, id, status])
  if (status < 200 || status > 299)
    throw new Failure(exitCodes.api, `the receiver answered ${status}: the service would try again`)
}
