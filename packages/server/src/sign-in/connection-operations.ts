/** Handlers for connected apps, and for the API key of a command line that signed in. */
import { isUuid, type ConnectionOperationId } from '@les/contract'
import { sql } from 'kysely'
import {
  makeKey,
  readTeam,
  recordChange,
  teamIsServed,
  type NamesErased,
  type Person,
  type SessionHandlers,
} from '../modules/accounts/index.ts'
import type { Shards } from '../platform/db/shards.ts'
import type { Tx } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import { refuse } from '../platform/refusal.ts'
import { endConnection, listConnections, type Connection } from './connections.ts'
import { findRole } from './memberships.ts'

/** Where an app receives its access, to show: a host, this computer, or a program on it. */
function hostsOf({ redirectUris }: Connection): string[] {
  const hosts = redirectUris.map((address) => {
    const url = URL.parse(address)
    if (url === null) return address
    if (url.host === '') return url.protocol
    return /^https?:$/.test(url.protocol) ? url.hostname : `${url.hostname} (${url.protocol.slice(0, -1)})`
  })
  return [...new Set(hosts)].slice(0, 10)
}

const presentConnection = (connection: Connection) => ({
  id: connection.id,
  appName: connection.clientName,
  redirectHosts: hostsOf(connection),
  team: { id: connection.teamId, name: connection.teamName },
  since: connection.since,
})

type ConnectionParts = {
  readonly ids: Ids
  readonly namesErased: NamesErased
  /** The request is made without a team; its body names the key's team. */
  readonly shards: Pick<Shards, 'ofTeam'>
}

async function exchange(
  tx: Tx,
  { ids, namesErased }: Omit<ConnectionParts, 'shards'>,
  user: Person,
  teamId: string,
  name: string,
) {
  const role = (await findRole(tx.db, user.id, teamId)) ?? refuse('not_found', {}, 'No such team')
  if (role !== 'owner')
    refuse('role_required', { needed: 'owner' }, `Only owners of the team may make API keys: you are a ${role}`)
  const team = (await readTeam(tx.db, teamId))!
  if (!teamIsServed(team, tx.now)) refuse('team_inactive')
  const { id, key } = await makeKey(tx, { ids, teamId, name })
  const answer = { id, name, key, createdAt: tx.now, team: { id: team.id, name: team.name } }
  const { plan, status, captureAllowed } = team
  await recordChange(tx, {
    caller: { teamId, keyId: '', plan, status, captureAllowed, user: { ...user, role } },
    operationId: 'createKey',
    params: {},
    sent: { name },
    answer: { id },
    namesErased,
  })
  await sql`delete from sign_in.session where id = ${user.sessionId}`.execute(tx.db)
  return answer
}

export function connectionOperations(parts: ConnectionParts): SessionHandlers<ConnectionOperationId> {
  return {
    listConnections: async (_input, { caller: { user }, db }) => ({
      connections: (await listConnections(db, user.id)).map(presentConnection),
    }),
    revokeConnection: ({ id }, { caller: { user }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        await endConnection(tx, user.id, id)
        return { ok: true as const }
      }),
    createDeviceKey: async ({ teamId: asked, name }, { caller: { user }, unitOfWork }) => {
      const teamId = isUuid(asked) ? asked.toLowerCase() : refuse('not_found', {}, 'No such team')
      return parts.shards.ofTeam(teamId, () => unitOfWork((tx) => exchange(tx, parts, user, teamId, name)))
    },
  }
}
