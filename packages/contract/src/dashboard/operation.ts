/** What an operation of the dashboard is: one of the contract's shape, with the role it needs. Never in OpenAPI or the agent tools. */
import { z } from 'zod'
import { queryInteger, textOrNull, choice } from '../values/index.ts'
import { operationsOf, type Method, type noFields, type Operation } from '../operation.ts'

/** Roles of a member of a team, from the least to the most. */
export const teamRoles = ['viewer', 'member', 'owner'] as const

export const teamRole = choice(teamRoles)

export type TeamRole = z.output<typeof teamRole>

/** True when a role is at least another. */
export const reaches = (role: TeamRole, needed: TeamRole): boolean =>
  teamRoles.indexOf(role) >= teamRoles.indexOf(needed)

/** What a page of the dashboard is about; also what live updates are named by. */
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

/**
 * One session-only operation; its path lies below `/app/api/teams/{teamId}`, or below `/app/api` when `role` is null:
 * then it needs a session and no team.
 */
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

// The group of the public interface says nothing of a session's operation.
const ofSessions = operationsOf('account')

/** Declares session-only operations of a group: each by its id and its route, a method and a path. Writes take a strict body. */
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

/** A page of a list that grows at its head: rows after `cursor`, newest first. */
export const cursorQuery = {
  cursor: z.string().max(200, { error: 'must be the nextCursor of a page' }).optional(),
  limit: queryInteger({ min: 1, max: 200 }).default(50),
}

/** Where a page ends: null at the last. */
export const nextCursor = textOrNull
