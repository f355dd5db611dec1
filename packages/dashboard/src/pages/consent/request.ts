type Destination = { readonly text: string; readonly isHere: boolean }

export type AppRequest = { readonly clientId: string; readonly destination: Destination; readonly wantsName: boolean }

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** Where a redirect address leads, in words; null when it is unsafe. For an app on this computer the host would say nothing. */
export function destinationOf(address: string): Destination | null {
  const url = URL.parse(address)
  if (url === null || /^(?:javascript|data|vbscript|file|blob):$/.test(url.protocol)) return null
  if (url.protocol === 'http:' && loopback.includes(url.hostname))
    return { text: 'an app on this computer', isHere: true }
  if (url.protocol === 'https:' || url.protocol === 'http:') return { text: url.hostname, isHere: false }
  return { text: `an app on this computer (${url.protocol.slice(0, -1)})`, isHere: true }
}

/** Reads an app's request from the signed query of the address; null if it is none. */
export function readRequest(query: string | undefined): AppRequest | null {
  const fields = new URLSearchParams(query ?? '')
  const clientId = fields.get('client_id')
  const destination = destinationOf(fields.get('redirect_uri') ?? '')
  if (clientId === null || destination === null) return null
  const scopes = (fields.get('scope') ?? '').split(' ')
  return {
    clientId,
    destination,
    wantsName: scopes.some((scope) => scope === 'openid' || scope === 'profile' || scope === 'email'),
  }
}

/** A name chosen by a stranger, without control and direction characters, cut to a line. */
export function cleanName(name: string | null | undefined): string {
  const cleaned = (name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  return cleaned === '' ? 'An app without a name' : [...cleaned].slice(0, 60).join('')
}
