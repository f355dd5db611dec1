import { z } from 'zod'
import { queryInteger, textOrNull, choice } from '../values/index.ts'
import { operationsOf, type Method, type noFields, type Operation } from '../operation.ts'

/** Roles of a team member, lowest first. */
export const teamRoles = ['viewer', 'member', 'owner'] as const

export const teamRole = choice(teamRoles)

export type TeamRole = z.output<typeof teamRole>

/** True when `role` is at least `needed`. */
export const reaches = (role: TeamRole, needed: TeamRole): boolean =>
  teamRoles.indexOf(role) >= teamRoles.indexOf(needed)

/** The subject of a dashboard page; live updates carry the same name. */
export type SessionGroup =
  | 'people'
  | 'settings'
  | 'leads'
  | 'sources'
  | 'keywords'
  | 'deliveries'
  | 'outreach'
  | 'credits'
  | 'operator'

/** Its path is below `/app/api/teams/{teamId}`; with `role: null` below `/app/api`, with a session but no team. */
export type SessionOperation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType | null = z.ZodType | null,
  Success extends z.ZodType = z.ZodType,
  M extends Method = Method,
  R extends TeamRole | null = TeamRole | null,
> = Operation<Id, Params, Query, Body, Success, M> & {
  readonly group: SessionGroup
  readonly role: R
}

// The tag is required but unused: session-only operations are grouped by `SessionGroup`.
const ofSessions = operationsOf('account')

/** Declares session-only operations of a group: each by id and `METHOD /path`. Write bodies are strict. */
export const sessionOperationsOf = (group: SessionGroup) =>
  function sessionOperation<
    const Id extends string,
    const M extends Method,
    Success extends z.ZodType,
    const R extends TeamRole | null,
    Params extends z.ZodObject = typeof noFields,
    Query extends z.ZodType = typeof noFields,
    Body extends z.ZodType | null = null,
  >(
    id: Id,
    route: `${M} ${string}`,
    declared: Pick<Operation, 'summary'> &
      Partial<Pick<Operation, 'errors' | 'status' | 'largeBody'>> & {
        readonly role: R
        readonly params?: Params
        readonly query?: Query
        readonly body?: Body
        readonly success: Success
      },
  ): SessionOperation<Id, Params, Query, Body, Success, M, R> {
    const { role, ...rest } = declared
    return { ...ofSessions(id, route, { description: '', strictBody: true, ...rest }), group, role }
  }

/** Sources by id, at most `most`. */
export const sourceIdsUpTo = (most: number) =>
  z
    .array(z.guid({ error: 'must be the id of a source' }), { error: 'must be a list of ids of sources' })
    .min(1, { error: 'must name at least one source' })
    .max(most, { error: `must name at most ${most} sources` })

/** Query fields of a list, newest first, that grows at its head: the rows after `cursor`. */
export const cursorQuery = {
  cursor: z.string().max(200, { error: 'must be the nextCursor of a page' }).optional(),
  limit: queryInteger({ min: 1, max: 200 }).default(50),
}

export const nextCursor = textOrNull
