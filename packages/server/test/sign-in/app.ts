/** An agent tool's OAuth client that signs a person in over HTTP; nobody listens at its redirect address. */
import { createHash, randomBytes } from 'node:crypto'
import type { World } from '../world/world.ts'
import type { Browser } from '../dashboard/stage.ts'

export type JsonAnswer = { readonly status: number; readonly headers: Headers; readonly body: any }

export type Tokens = {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

/** Where the client expects its code. */
export const redirectUri = 'http://127.0.0.1:7777/callback'

const read = async (response: Response): Promise<JsonAnswer> => {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** A client that knows only the address of the tools. */
export class App {
  readonly #world: Pick<World, 'url'>
  readonly verifier = randomBytes(32).toString('base64url')
  clientId = ''
  server: any

  readonly redirect: string

  constructor(world: Pick<World, 'url'>, redirect = redirectUri) {
    this.#world = world
    this.redirect = redirect
  }

  /** Finds the authorization server and registers without an application type, as current clients do. */
  async register(name = 'An agent'): Promise<this> {
    const refused = await this.rpc('tools/list', {}, null)
    const address = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')![1]!
    const resource = await this.get(address)
    const issuer = new URL(resource.body.authorization_servers[0])
    this.server = (await this.get(`${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`)).body
    const made = await this.post(this.server.registration_endpoint, {
      client_name: name,
      redirect_uris: [this.redirect],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'leads',
    })
    if (made.status !== 201) throw new Error(`registration: ${made.status} ${JSON.stringify(made.body)}`)
    this.clientId = made.body.client_id
    return this
  }

  authorizeUrl(more: Record<string, string> = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirect,
      scope: 'leads',
      state: 'kept',
      resource: `${this.#world.url}/mcp`,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })
    return `${this.server.authorization_endpoint}?${query}`
  }

  /** The signed query with which a signed-in person arrives at the consent page. */
  async askedAt(person: Browser, more: Record<string, string> = {}): Promise<string> {
    const address = new URL(this.authorizeUrl(more))
    const sent = await person.send('GET', address.pathname + address.search)
    // Node's fetch does not look like a navigation, so the answer names the target instead of redirecting.
    const to = new URL(sent.body.url, this.#world.url)
    if (to.pathname !== '/consent') throw new Error(`not asked: ${sent.status} ${sent.text}`)
    return to.search.slice(1)
  }

  /** The consent page's request for a yes or no. */
  async answer(person: Browser, query: string, teamId: string | null, accept = true): Promise<JsonAnswer> {
    return await person.send('POST', `/app/api/auth/oauth2/consent${teamId === null ? '' : `?team=${teamId}`}`, {
      accept,
      oauth_query: query,
    })
  }

  async code(person: Browser, teamId: string): Promise<string> {
    const { body } = await this.answer(person, await this.askedAt(person), teamId)
    if (!URL.canParse(body.url)) throw new Error(`no code: ${JSON.stringify(body)}`)
    const back = new URL(body.url)
    if (back.searchParams.get('state') !== 'kept' || back.searchParams.get('iss') !== this.server.issuer)
      throw new Error(`not ours: ${body.url}`)
    return back.searchParams.get('code')!
  }

  async token(fields: Record<string, string>): Promise<JsonAnswer> {
    return read(
      await fetch(this.server.token_endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: this.clientId, ...fields }),
      }),
    )
  }

  async redeem(code: string, verifier = this.verifier): Promise<JsonAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirect,
      code_verifier: verifier,
      resource: `${this.#world.url}/mcp`,
    })
  }

  async refresh(token: string): Promise<JsonAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token })
  }

  /** All steps from the consent to the tokens. */
  async signIn(person: Browser, teamId: string): Promise<Tokens> {
    const { status, body } = await this.redeem(await this.code(person, teamId))
    if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Revokes a refresh token (RFC 7009). */
  async revoke(token: string): Promise<number> {
    return (
      await fetch(this.server.revocation_endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: this.clientId, token, token_type_hint: 'refresh_token' }),
      })
    ).status
  }

  async rpc(method: string, params: object, token: string | null): Promise<JsonAnswer> {
    return read(
      await fetch(`${this.#world.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }),
    )
  }

  private async get(address: string): Promise<JsonAnswer> {
    return read(await fetch(address))
  }

  private async post(address: string, body: unknown): Promise<JsonAnswer> {
    return read(
      await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  }
}
