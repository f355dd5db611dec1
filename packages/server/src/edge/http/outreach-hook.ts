/**
 * `POST /hooks/outreach/{secret}`: what the outreach platform tells, without a key; knowing the secret is enough. It is kept and answered
 * at once. A secret that is nobody's is an address that is served nowhere, like every other method and path here.
 */
import { bounds } from '@les/contract'
import { resultsPath, type ReceivePost } from '../../modules/results/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { discardBody, readBody } from './body.ts'
import type { Serve } from './envelope.ts'
import { readTarget } from './target.ts'

export const makeOutreachHook =
  (receive: ReceivePost): Serve =>
  async ({ raw, url }) => {
    const { segments } = readTarget(url, resultsPath)
    const [secret = '', ...more] = segments ?? []
    if (raw.method !== 'POST' || secret === '' || more.length > 0) {
      await discardBody(raw)
      return refuse('no_such_endpoint')
    }
    const body = await readBody(raw, bounds.bodyBytes)
    // What PostgreSQL takes as no text is no JSON of the platform either.
    const text = new TextDecoder().decode(body).replaceAll('\0', '\uFFFD')
    if (!(await receive(secret, text))) return refuse('no_such_endpoint')
    return { status: 200, headers: {}, body: { ok: true } }
  }
