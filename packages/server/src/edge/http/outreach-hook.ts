/** `POST /hooks/outreach/{secret}`, authorised by the secret alone; an unknown secret is `no_such_endpoint`, like all else. */
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
    // PostgreSQL cannot store NUL, and valid JSON never contains it.
    const text = new TextDecoder().decode(body).replaceAll('\0', '\uFFFD')
    if (!(await receive(secret, text))) return refuse('no_such_endpoint')
    return { status: 200, headers: {}, body: { ok: true } }
  }
