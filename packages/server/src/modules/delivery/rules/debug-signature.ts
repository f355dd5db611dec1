import { createHmac } from 'node:crypto'
import { inspectWebhook, parseHeaderLines, type NamedSecret } from '@les/contract'

/** A team's secrets; `previous` still signs together with `current`, `retired` signs nothing. */
type KnownSecrets = {
  readonly current: string
  readonly previous: string | null
  readonly retired: string | null
}

/** `secret` is what was pasted instead of the team's. */
type Pasted = { readonly headers: string; readonly body: string; readonly secret?: string | undefined }

const hmac = (key: Uint8Array, bytes: Uint8Array) => createHmac('sha256', key).update(bytes).digest()
const named = (name: string, secret: string | null): NamedSecret[] => (secret === null ? [] : [{ name, secret }])
const upperFirst = (text: string) => (/^[a-z]+ /.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text)

/** What is wrong with a request that did not verify (specification «Authentication» 6; G47); valid when no check fails. */
export function debugSignature(pasted: Pasted, secrets: KnownSecrets, now: Date) {
  const { headers, body, secret } = pasted
  const serving = [
    ...named("the team's signing secret", secrets.current),
    ...named('the signing secret before, which still signs beside the current one', secrets.previous),
  ]
  const retired = named('the secret that was replaced, which signs nothing any more', secrets.retired)
  const other = secret?.trim() ? named('the secret you pasted', secret) : null
  const { findings } = inspectWebhook(
    { headers: parseHeaderLines(headers), body: new TextEncoder().encode(body) },
    {
      secrets: other ?? serving,
      known: other === null ? retired : [...serving, ...retired],
      nowMs: now.getTime(),
      hmac,
    },
  )
  return {
    valid: findings.every(({ problem }) => problem === null),
    findings: findings.map(({ problem, text }) => ({ ok: problem === null, text: upperFirst(text) })),
  }
}
