/** Apps and command lines that act for a signed-in person. */
import { z } from 'zod'
import { createKey } from '../operations/account.ts'
import { isoDateTime, textOrNull, uuid } from '../values/index.ts'
import { sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('people')

const connection = z.object({
  id: z.string(),
  appName: textOrNull.describe('Name the app gives itself; not verified.'),
  redirectHosts: z.array(z.string()).describe('Hosts the app receives its access on.'),
  team: z.object({ id: uuid, name: z.string() }),
  since: isoDateTime,
})

export const connectionOperations = [
  operation('listConnections', 'GET /connections', {
    role: null,
    summary: 'List apps you allowed to act for a team, newest first; at most 200',
    success: z.object({ connections: z.array(connection) }),
  }),
  operation('revokeConnection', 'DELETE /connections/{id}', {
    role: null,
    summary: 'End the access of an app at once',
    params: z.object({ id: z.string().max(100) }),
    success: z.object({ ok: z.literal(true) }),
    errors: ['not_found'],
  }),
  operation('createDeviceKey', 'POST /device/key', {
    role: null,
    summary: 'Exchange a command-line sign-in for an API key of a team you own; the session ends',
    body: z.object({ teamId: z.string().max(100), name: createKey.body.shape.name }),
    status: 201,
    success: z.object({
      id: uuid,
      name: z.string(),
      key: z.string(),
      createdAt: isoDateTime,
      team: z.object({ id: uuid, name: z.string() }),
    }),
    errors: ['not_found', 'role_required', 'team_inactive', 'key_limit_reached'],
  }),
] as const
