/** People sign in from agent tools over HTTP, as a client does it, from the first refusal to the revoked access (MCP-03). */
import { describe, expect, it } from 'vitest'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { toolTable } from '@les/mcp'
import { addMember } from '../../src/sign-in/index.ts'
import { leastRole, mayDo } from '../dashboard/least-role.ts'
import { at, memberOf, type MemberBrowser } from '../dashboard/stage.ts'
import { connect } from '../mcp/client.ts'
import { silent, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'
import { App, redirectUri } from './app.ts'

const world = useWorld({ overrides: { signInLimits: null } })

const callTool = async (token: string, name: string, input: Record<string, unknown> = {}) => {
  const tools = await connect(`${world.url}/mcp`, { headers: { authorization: `Bearer ${token}` }, era: '2025' })
  try {
    return await tools.call(name, input)
  } finally {
    await tools.close()
  }
}
const withApp = async (role: 'owner' | 'member' | 'viewer') => {
  const team = await world.team()
  return { team, person: await memberOf(world, team, role), app: await new App(world).register() }
}
const connectedAs = async (role: 'owner' | 'member' | 'viewer') => {
  const { team, person, app } = await withApp(role)
  return { team, person, app, ...(await app.signIn(person, team.id)) }
}
const isLetIn = async (app: App, token: string) => (await app.rpc('tools/list', {}, token)).status === 200

describe('signing in from an agent tool', () => {
  it('goes from the first refusal to a tool call, is renewed, and ends when the client gives it back [MCP-03]', async () => {
    const team = await world.team()
    const person = await memberOf(world, team, 'owner')
    const app = new App(world)
    const refused = await app.rpc('initialize', {}, null)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(
        `resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp", scope="leads"`,
      ),
    ])
    await app.register()
    const tokens = await app.signIn(person, team.id)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'leads offline_access' })
    const credits = await callTool(tokens.access_token, 'get_account')
    expect([credits.isError, credits.data.balance]).toEqual([false, await team.balance()])

    const renewed = await app.refresh(tokens.refresh_token)
    expect(renewed.status).toBe(200)
    expect(await isLetIn(app, renewed.body.access_token)).toBe(true)
    // A client whose answer was lost repeats the request and gets the same tokens.
    const again = await app.refresh(tokens.refresh_token)
    expect([again.status, again.body.refresh_token]).toEqual([200, renewed.body.refresh_token])
    expect(await app.revoke(renewed.body.refresh_token)).toBe(200)
    expect((await app.refresh(renewed.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('the metadata says what the tools are, who signs in for them, and how, at every address where clients look, and promises no end of sessions and no introspection, for there are none [MCP-03, SEC-21]', async () => {
    const json = async (path: string) => (await (await fetch(`${world.url}${path}`)).json()) as Record<string, unknown>
    const issuer = `${world.url}/app/api/auth`
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      expect(await json(path)).toMatchObject({
        resource: `${world.url}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ['leads'],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: [],
      })
    }
    for (const path of [
      '/.well-known/oauth-authorization-server/app/api/auth',
      '/app/api/auth/.well-known/openid-configuration',
    ]) {
      const said = await json(path)
      expect(said).toMatchObject({
        issuer,
        registration_endpoint: `${issuer}/oauth2/register`,
        token_endpoint: `${issuer}/oauth2/token`,
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        authorization_response_iss_parameter_supported: true,
      })
      expect(Object.keys(said).filter((name) => /logout|introspect|end_session/.test(name))).toEqual([])
    }
  })

  it('a code is worth nothing without its verifier, nor twice, which ends its first use [MCP-03, SEC-19]', async () => {
    const { team, person, app } = await withApp('member')
    expect((await app.redeem(await app.code(person, team.id), 'w'.repeat(43))).status).toBeGreaterThanOrEqual(400)
    const code = await app.code(person, team.id)
    const { body } = await app.redeem(code)
    expect(body.access_token).toEqual(expect.any(String))
    expect(await isLetIn(app, body.access_token)).toBe(true)
    expect((await app.redeem(code)).body.error).toBe('invalid_grant')
    // The code was used twice, so the tokens of the first use are refused too.
    expect(await isLetIn(app, body.access_token)).toBe(false)
    expect((await app.refresh(body.refresh_token)).body.error).toBe('invalid_grant')
    const address = new URL(app.authorizeUrl())
    for (const name of ['code_challenge', 'code_challenge_method']) address.searchParams.delete(name)
    const sent = await person.send('GET', address.pathname + address.search)
    expect(new URL(sent.body.url).searchParams.get('error')).toBe('invalid_request')
  })

  it('whoever is not signed in is sent to sign in; whoever says no sends the client away with nothing [MCP-03]', async () => {
    const { team, person, app } = await withApp('owner')
    const stranger = (await (await fetch(app.authorizeUrl())).json()) as { url: string }
    expect(new URL(stranger.url, world.url).pathname).toBe('/sign-in')
    const { body } = await app.answer(person, await app.askedAt(person), team.id, false)
    expect(body.url).toMatch(`${redirectUri}?error=access_denied`)
  })

  it('a desktop program is sent back to its own scheme, and nothing that only looks like its address is [MCP-03]', async () => {
    const team = await world.team()
    const person = await memberOf(world, team, 'owner')
    const app = await new App(world, 'cursor://anysphere.cursor-mcp/oauth/callback').register('An editor')
    const { access_token: token } = await app.signIn(person, team.id)
    expect((await app.rpc('tools/list', {}, token)).status).toBe(200)
    const connections = await person.send('GET', '/app/api/connections')
    expect(connections.body.connections).toMatchObject([{ redirectHosts: ['anysphere.cursor-mcp (cursor)'] }])
    // A mobile app's custom scheme has no host, so the scheme identifies it.
    await (await new App(world, 'com.example.editor:/callback').register('A phone')).signIn(person, team.id)
    const { body: both } = await person.send('GET', '/app/api/connections')
    expect(both.connections.map(({ redirectHosts }: { redirectHosts: string[] }) => redirectHosts).sort()).toEqual([
      ['anysphere.cursor-mcp (cursor)'],
      ['com.example.editor:'],
    ])
    for (const other of ['cursor://anysphere.cursor-mcp/oauth/callback/', 'cursor://evil.extension/oauth/callback']) {
      const address = new URL(app.authorizeUrl({ redirect_uri: other }))
      const sent = await person.send('GET', address.pathname + address.search)
      expect(new URL(sent.body.url, world.url).origin).toBe(world.url)
    }
  })
})

describe('ending every session', () => {
  const connected = async () => {
    const { team, person, app, ...tokens } = await connectedAs('owner')
    const isConnected = async () => [
      await isLetIn(app, tokens.access_token),
      (await app.refresh(tokens.refresh_token)).status === 200,
      (await world.database.pool.query('select 1 from sign_in."oauthConsent" where "userId" = $1', [person.userId]))
        .rows.length > 0,
    ]
    return { person, teamId: team.id, app, isConnected }
  }
  const auth = '/app/api/auth'
  const newPassword = 'another horse battery'
  const resetToken = async (person: MemberBrowser) => {
    await person.send('POST', `${auth}/request-password-reset`, { email: person.email })
    await world.service.signIn.settled()
    const { text } = world.mails.findLast(({ to }) => to === person.email)!
    return decodeURIComponent(/token=(\S+)/.exec(text)![1]!)
  }
  const endings: Record<string, (person: MemberBrowser) => Promise<{ status: number }>> = {
    'a password set by mail': async (person) =>
      person.send('POST', `${auth}/reset-password`, { token: await resetToken(person), newPassword }),
    'a password changed, the other sessions ended': (person) =>
      person.send('POST', `${auth}/change-password`, {
        currentPassword: person.password,
        newPassword,
        revokeOtherSessions: true,
      }),
    'every session ended': (person) => person.send('POST', `${auth}/revoke-sessions`, {}),
    'all other sessions ended': (person) => person.send('POST', `${auth}/revoke-other-sessions`, {}),
  }

  it.each(Object.entries(endings))(
    '%s: connected apps end with it, as do the codes and links that were handed out before and not used [SEC-01]',
    async (_what, end) => {
      const { person, teamId, app, isConnected } = await connected()
      const other = await connected()
      expect(await isConnected()).toEqual([true, true, true])
      const [code, token] = [await app.code(person, teamId), await resetToken(person)]
      expect((await end(person)).status).toBe(200)
      expect(await isConnected()).toEqual([false, false, false])
      const reset = await person.send('POST', `${auth}/reset-password`, { token, newPassword: 'of a thief, and long' })
      expect([(await app.redeem(code)).status, reset.status]).toEqual([400, 400])
      expect(await other.isConnected()).toEqual([true, true, true])
    },
  )

  it('a command line that was let in and has not fetched its session gets none after a new password [SEC-01]', async () => {
    const { person } = await connected()
    const { body } = await person.send('POST', `${auth}/device/code`, { client_id: 'les-cli' })
    await person.send('GET', `${auth}/device?user_code=${body.user_code}`)
    expect((await person.send('POST', `${auth}/device/approve`, { userCode: body.user_code })).status).toBe(200)
    expect((await endings['a password set by mail']!(person)).status).toBe(200)
    const fetched = await person.send('POST', `${auth}/device/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: body.device_code,
      client_id: 'les-cli',
    })
    expect([fetched.status, fetched.body.access_token]).toEqual([400, undefined])
  })

  it('a password that was not changed, or was changed without ending sessions, ends no app [SEC-01]', async () => {
    const { person, isConnected } = await connected()
    const change = (currentPassword: string, revokeOtherSessions: boolean) =>
      person.send('POST', `${auth}/change-password`, { currentPassword, newPassword, revokeOtherSessions })
    expect((await change('a wrong password', true)).status).toBe(400)
    expect((await change(person.password, false)).status).toBe(200)
    expect(await isConnected()).toEqual([true, true, true])
  })
})

describe('what an app asks in a way that cannot be answered to it', () => {
  it('sends the browser to a page of ours, and the page of the library is none [SEC-15]', async () => {
    const app = await new App(world).register()
    for (const wrong of [
      { client_id: 'nobody' },
      { redirect_uri: 'https://evil.example/' },
      { prompt: 'select_account' },
    ]) {
      const sent = await fetch(app.authorizeUrl(wrong), {
        redirect: 'manual',
        headers: { 'sec-fetch-mode': 'navigate' },
      })
      const to = new URL(sent.headers.get('location') ?? ((await sent.json()) as { url: string }).url, world.url)
      expect([wrong, to.origin, to.pathname]).toEqual([wrong, world.url, '/not-connected'])
      const page = await fetch(to, { headers: { accept: 'text/html' } })
      expect([page.headers.get('content-security-policy'), page.headers.get('x-frame-options')]).toEqual([
        expect.stringContaining("frame-ancestors 'none'"),
        'DENY',
      ])
    }
    const closed = await fetch(`${world.url}/app/api/auth/error?error_description=Call+this+number`)
    expect([closed.status, await closed.json()]).toEqual([
      404,
      { error: 'No such endpoint', code: 'not_found', requestId: expect.any(String) },
    ])
  })
})

describe('the official client', () => {
  /** Keeps what the client gets, and where it would send the person. */
  class Provider implements OAuthClientProvider {
    readonly redirectUrl = redirectUri
    readonly clientMetadata = {
      client_name: 'The official client',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }
    sentTo: URL | undefined
    #information: unknown
    #tokens: unknown
    #verifier = ''
    clientInformation = () => this.#information as never
    saveClientInformation = (information: unknown) => void (this.#information = information)
    tokens = () => this.#tokens as never
    saveTokens = (tokens: unknown) => void (this.#tokens = tokens)
    redirectToAuthorization = (url: URL) => void (this.sentTo = url)
    saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
    codeVerifier = () => this.#verifier
  }

  it('finds its way by itself, from the address of the tools to a call [MCP-03]', async () => {
    const team = await world.team()
    const person = await memberOf(world, team, 'owner')
    const provider = new Provider()
    const open = () => new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { authProvider: provider })
    const first = open()
    await expect(new Client({ name: 'tests', version: '1.0.0' }).connect(first)).rejects.toThrow(UnauthorizedError)
    const sent = await person.send('GET', provider.sentTo!.pathname + provider.sentTo!.search)
    const asked = new URL(sent.body.url, world.url)
    const { body } = await person.send('POST', `/app/api/auth/oauth2/consent?team=${team.id}`, {
      accept: true,
      oauth_query: asked.search.slice(1),
    })
    await first.finishAuth(new URL(body.url).searchParams)
    const client = new Client({ name: 'tests', version: '1.0.0' })
    await client.connect(open())
    const { structuredContent } = await client.callTool({ name: 'get_account', arguments: {} })
    expect(structuredContent).toMatchObject({ balance: await team.balance() })
    await client.close()
  })
})

describe('what a token is for', () => {
  it('is the team that the person chose, one of theirs, asked for anew each time [MCP-03]', async () => {
    const [first, second, foreign] = [
      await world.team({ credits: 111 }),
      await world.team({ credits: 222 }),
      await world.team(),
    ]
    const person = await memberOf(world, first, 'owner')
    await world.service.unitOfWork((tx) => addMember(tx, { userId: person.userId, teamId: second.id, role: 'member' }))
    const app = await new App(world).register()
    for (const team of [foreign.id, 'undecided', null]) {
      expect(await app.answer(person, await app.askedAt(person), team)).toMatchObject({
        status: 400,
        body: { code: 'TEAM_REQUIRED' },
      })
    }
    const tokens = [await app.signIn(person, first.id), await app.signIn(person, second.id)]
    const balances = await Promise.all(
      tokens.map(async ({ access_token }) => (await callTool(access_token, 'get_account')).data.balance),
    )
    expect(balances).toEqual([111, 222])
    const { body } = await app.refresh(tokens[0]!.refresh_token)
    expect((await callTool(body.access_token, 'get_account')).data.balance).toBe(111)
  })

  it('nothing that is no token of ours makes it fail, whatever it looks like [MCP-03]', async () => {
    const app = await new App(world).register()
    const head = (text: string) => Buffer.from(text).toString('base64url')
    const heads = ['', 'x', '%00', head('x'), head('[]'), head('null'), head('{}'), head('{"alg":"none"}')]
    const more = ['{"alg":"EdDSA","kid":"\\u0000"}', '{"alg":7,"kid":{}}', '{"alg":"EdDSA","crit":["b64"],"b64":false}']
    for (const each of [...heads, ...more.map(head)])
      for (const token of [`${each}.e30.`, `${each}.e30.x`, `${each}.%.%`])
        expect([token, (await app.rpc('tools/list', {}, token)).status]).toEqual([token, 401])
  })

  it('a viewer reads and changes nothing, and is told whose role it takes [MCP-03, AUT-05, SEC-22]', async () => {
    const { team, access_token } = await connectedAs('viewer')
    expect((await callTool(access_token, 'list_sources')).isError).toBe(false)
    const refused = await callTool(access_token, 'track_source', { kind: 'person', username: world.handle('jane') })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('role_required')])
    // The needed role is named, and the advice is about roles instead of a subscription.
    expect(refused.text).toContain('{"needed":"member"}\nWhat to do: Ask an owner of the team')
    expect((await callTool(access_token, 'manage_keys', { action: 'create', name: 'mine' })).text).toContain(
      'role_required',
    )
    expect((await team.get('/sources')).body.total).toBe(0)
  })

  it.each(['viewer', 'member'] as const)(
    'a %s is refused by every tool that calls what needs more, and by no other [MCP-03, AUT-05]',
    async (role) => {
      const { access_token } = await connectedAs(role)
      const tools = await connect(`${world.url}/mcp`, {
        headers: { authorization: `Bearer ${access_token}` },
        era: '2025',
      })
      const ways = toolTable.flatMap((tool) =>
        Object.entries(tool.operations).map(([values, id]) => ({
          id,
          name: tool.name,
          input: Object.fromEntries(
            values === '' ? [] : values.split(' ').map((value, index) => [tool.selectors[index]!.name, value]),
          ),
        })),
      )
      const refused: string[] = []
      for (const { id, name, input } of ways)
        if ((await tools.call(name, input)).text.includes('role_required')) refused.push(id)
      await tools.close()
      expect(refused.sort()).toEqual(
        ways
          .map(({ id }) => id)
          .filter((id) => !mayDo(role, leastRole[id]!))
          .sort(),
      )
    },
  )

  it('a viewer spends no credit by reading posts that are charged, not even with a yes [MCP-03, AUT-05]', async () => {
    const team = await world.team({ credits: 50 })
    const username = world.handle('author')
    for (let count = 0; count < 3; count++) world.network.seedPost({ author: username, reactions: 0 })
    const app = await new App(world).register()
    const read = async (role: 'viewer' | 'member') => {
      const token = (await app.signIn(await memberOf(world, team, role), team.id)).access_token
      const asked = { what: 'untracked_person', username, posts: 2, confirmSpend: true }
      const quoted = await callTool(token, 'fetch_posts', asked)
      const quoteToken = /"quoteToken":"([\w-]+)"/.exec(quoted.text)?.[1]
      return quoteToken === undefined ? quoted : callTool(token, 'fetch_posts', { ...asked, quoteToken })
    }
    expect((await read('viewer')).text).toContain('role_required')
    expect(await team.balance()).toBe(50)
    expect((await read('member')).data).toMatchObject({ creditsCharged: 2 })
    expect(await team.balance()).toBe(48)
  })

  it('a spent refresh token ends every token of its client, once its answer is not repeated any more [MCP-03]', async () => {
    const { app, refresh_token: spent } = await connectedAs('member')
    const { refresh_token: next } = (await app.refresh(spent)).body
    await world.database.pool.query(
      `update sign_in."oauthRefreshToken" set "rotationReplayExpiresAt" = now() - interval '1 second'
       where "rotatedAt" is not null and "clientId" = $1`,
      [app.clientId],
    )
    expect((await app.refresh(spent)).body.error).toBe('invalid_grant')
    expect((await app.refresh(next)).body.error).toBe('invalid_grant')
  })

  it('a role is read with every request [MCP-03]', async () => {
    const team = await world.team()
    const owner = await memberOf(world, team, 'owner')
    const member = await memberOf(world, team, 'member')
    const app = await new App(world).register()
    const { access_token, refresh_token } = await app.signIn(member, team.id)
    expect((await callTool(access_token, 'list_sources')).isError).toBe(false)
    await owner.patch(`/members/${member.userId}`, { role: 'viewer' })
    const refused = await callTool(access_token, 'track_source', { kind: 'person', username: world.handle('jane') })
    expect(refused.text).toContain('role_required')
    await owner.del(`/members/${member.userId}`)
    expect(await isLetIn(app, access_token)).toBe(false)
    expect((await app.refresh(refresh_token)).body.error).toBe('invalid_grant')
    await world.service.unitOfWork((tx) => addMember(tx, { userId: member.userId, teamId: team.id, role: 'member' }))
    expect(await isLetIn(app, access_token)).toBe(false)
  })

  it('a token for anything else than these tools is refused, and so is one of theirs anywhere else [MCP-03]', async () => {
    const { team, person, app } = await withApp('owner')
    const { body } = await app.redeem(await app.code(person, team.id))
    const elsewhere = await app.token({
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      resource: 'https://other.example/mcp',
    })
    expect(elsewhere.body.error).toBe('invalid_target')
    const [header, claims, signature] = body.access_token.split('.')
    const forged = JSON.parse(Buffer.from(claims, 'base64url').toString())
    for (const change of [
      { aud: 'https://other.example/mcp' },
      { team: '00000000-0000-7000-8000-000000000000' },
      { exp: forged.exp + 10_000 },
    ]) {
      expect(
        await isLetIn(
          app,
          [header, Buffer.from(JSON.stringify({ ...forged, ...change })).toString('base64url'), signature].join('.'),
        ),
      ).toBe(false)
    }
    for (const made of ['a.b.c', 'x', `${header}.${claims}.`, body.refresh_token])
      expect(await isLetIn(app, made)).toBe(false)
    const bearing = { authorization: `Bearer ${body.access_token}` }
    expect((await fetch(`${world.url}/app/api/me`, { headers: bearing })).status).toBe(401)
    expect((await fetch(`${world.url}/api/v1/credits`, { headers: bearing })).status).toBe(401)
  })

  it('an identity token of the same server, and a token of another resource, open nothing [MCP-03]', async () => {
    const { team, person, app } = await withApp('owner')
    const { body } = await app.answer(person, await app.askedAt(person, { scope: 'openid leads' }), team.id)
    const tokens = (await app.redeem(new URL(body.url).searchParams.get('code')!)).body
    expect([await isLetIn(app, tokens.access_token), await isLetIn(app, tokens.id_token)]).toEqual([true, false])
    const narrow = await app.answer(person, await app.askedAt(person, { scope: 'openid' }), team.id)
    const others = (await app.redeem(new URL(narrow.body.url).searchParams.get('code')!)).body
    expect(await isLetIn(app, others.access_token)).toBe(false)
    expect((await person.send('GET', '/app/api/auth/token')).status).toBe(404)
  })
})

describe('connected apps', () => {
  it('are listed to whoever connected them, and end at once when taken back; asking again begins anew [MCP-03]', async () => {
    const team = await world.team()
    const [person, other] = [await memberOf(world, team, 'owner'), await memberOf(world, team, 'owner')]
    const app = await new App(world).register('Desk\u202e <b>agent</b>')
    const { access_token, refresh_token } = await app.signIn(person, team.id)
    const { connections } = (await person.send('GET', '/app/api/connections')).body
    expect(connections).toEqual([
      {
        id: expect.any(String),
        appName: 'Desk\u202e <b>agent</b>',
        redirectHosts: ['127.0.0.1'],
        team: { id: team.id, name: expect.any(String) },
        since: expect.any(String),
      },
    ])
    expect((await other.send('GET', '/app/api/connections')).body.connections).toEqual([])
    const address = `/app/api/connections/${connections[0].id}`
    expect((await other.send('DELETE', address)).status).toBe(404)
    expect(await isLetIn(app, access_token)).toBe(true)
    expect((await person.send('DELETE', address)).body).toEqual({ ok: true })
    expect(await isLetIn(app, access_token)).toBe(false)
    expect((await app.refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect((await person.send('DELETE', address)).status).toBe(404)
    expect(await isLetIn(app, (await app.signIn(person, team.id)).access_token)).toBe(true)
  })

  it('end with the membership in their team, and those of other teams go on [MCP-03]', async () => {
    const [left, stays] = [await world.team(), await world.team()]
    await memberOf(world, left, 'owner')
    const person = await memberOf(world, left, 'member')
    await world.service.unitOfWork((tx) => addMember(tx, { userId: person.userId, teamId: stays.id, role: 'member' }))
    const [there, here] = [await new App(world).register(), await new App(world).register()]
    const ofLeft = await there.signIn(person, left.id)
    const ofStays = await here.signIn(person, stays.id)
    expect((await at(person, left.id).post('/leave')).status).toBe(200)
    expect(await isLetIn(there, ofLeft.access_token)).toBe(false)
    expect(await isLetIn(here, ofStays.access_token)).toBe(true)
    expect((await here.refresh(ofStays.refresh_token)).body.access_token).toEqual(expect.any(String))
  })

  it('that are switched off as a whole are let in no more [MCP-03]', async () => {
    const team = await world.team()
    const person = await memberOf(world, team, 'owner')
    const [app, other] = [await new App(world).register('Bad app'), await new App(world).register('Good app')]
    const [bad, good] = [await app.signIn(person, team.id), await other.signIn(person, team.id)]
    await world.database.pool.query(`update sign_in."oauthClient" set disabled = true where name = 'Bad app'`)
    expect([await isLetIn(app, bad.access_token), await isLetIn(other, good.access_token)]).toEqual([false, true])
  })

  it('of before stay ended when their person comes back to the team and connects the app anew [MCP-03]', async () => {
    const team = await world.team()
    await memberOf(world, team, 'owner')
    const person = await memberOf(world, team, 'member')
    const app = await new App(world).register()
    const before = await app.signIn(person, team.id)
    expect((await at(person, team.id).post('/leave')).status).toBe(200)
    await world.service.unitOfWork((tx) => addMember(tx, { userId: person.userId, teamId: team.id, role: 'viewer' }))
    const anew = await app.signIn(person, team.id)
    expect((await app.refresh(before.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isLetIn(app, anew.access_token)).toBe(true)
    // Tokens have a resolution of a second: makes the current consent later than the old token.
    await world.database.pool.query(
      `update sign_in."oauthConsent" set "createdAt" = "createdAt" + interval '2 seconds' where "userId" = $1`,
      [person.userId],
    )
    expect(await isLetIn(app, before.access_token)).toBe(false)
  })

  it('what they change stands in the audit log under the name of the person [MCP-03]', async () => {
    const { team, person, access_token } = await connectedAs('owner')
    const username = silent(world)
    await track(team, username)
    expect((await callTool(access_token, 'untrack_source', { kind: 'person', username })).isError).toBe(false)
    const { body } = await at(person, team.id).get('/audit')
    expect(body.entries[0]).toMatchObject({ operation: 'untrackProfile', actor: { kind: 'user', name: person.email } })
  })

  it('make and revoke no API keys, not even for an owner; a key that was given to the tools may [SEC-08]', async () => {
    const { team, access_token } = await connectedAs('owner')
    const { id } = (await team.post('/keys', { name: 'spare' })).body
    const before = (await team.get('/keys')).body
    for (const input of [
      { action: 'create', name: 'outlives the app' },
      { action: 'create', name: 'outlives the app', idempotencyKey: 'k', showSecret: true },
      { action: 'revoke', id },
    ]) {
      const refused = await callTool(access_token, 'manage_keys', input)
      expect([refused.isError, refused.data]).toEqual([true, undefined])
      expect(refused.text).toMatch(/^Error 403 not_for_apps: .*\nWhat to do: Have a person make or revoke keys/)
    }
    expect((await callTool(access_token, 'get_account', { what: 'keys' })).data.keys).toHaveLength(before.keys.length)
    expect((await team.get('/keys')).body.keys.map((key: { id: string }) => key.id)).toContain(id)
    expect((await callTool(team.apiKey, 'manage_keys', { action: 'revoke', id })).isError).toBe(false)
  })
})
