/** What an operation of the dashboard is: one of the contract's shape, with the role it needs. Never in OpenAPI or the agent tools. */
import { z } from 'zod'
import { textOrNull } from '../values/index.ts'
import { operation, type Method, type Operation } from '../operation.ts'

/** Roles of a member of a team, from the least to the most. */
export const teamRoles = ['viewer', 'member', 'owner'] as const

/** A role in requests and answers. */
export const teamRole = z.enum(teamRoles, { error: 'must be viewer, member or owner' })

/** A role. */
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

type Declared<
  Id extends string,
  Params extends z.ZodObject,
  Query extends z.ZodType,
  Body extends z.ZodType | null,
  Success extends z.ZodType,
  M extends Method,
  R extends TeamRole | null,
> = Pick<Operation<Id, Params, Query, Body, Success, M>, 'id' | 'method' | 'path' | 'summary' | 'success'> &
  Partial<
    Pick<
      Operation<Id, Params, Query, Body, Success, M>,
      'params' | 'query' | 'body' | 'errors' | 'status' | 'largeBody'
    >
  > & {
    readonly group: SessionGroup
    readonly role: R
  }

const empty = z.object({})

/** Declares a session-only operation; what is left out is empty. Writes take a strict body. */
export function sessionOperation<
  const Id extends string,
  Success extends z.ZodType,
  const M extends Method,
  const R extends TeamRole | null,
  Params extends z.ZodObject = typeof empty,
  Query extends z.ZodType = typeof empty,
  Body extends z.ZodType | null = null,
>(
  declared: Declared<Id, Params, Query, Body, Success, M, R>,
): SessionOperation<Id, Params, Query, Body, Success, M, R> {
  const { group, role, ...rest } = declared
  const made = operation({
    tag: 'account',
    description: '',
    params: empty as unknown as Params,
    query: empty as unknown as Query,
    body: null as Body,
    strictBody: true,
    ...rest,
  })
  return { ...made, group, role } as unknown as SessionOperation<Id, Params, Query, Body, Success, M, R>
}

/** A page of a list that grows at its head: rows after `cursor`, newest first. */
export const cursorQuery = {
  cursor: z.string().max(200, { error: 'must be the nextCursor of a page' }).optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'must be a whole number from 1 to 200' })
    .transform(Number)
    .refine((count) => count >= 1 && count <= 200, { error: 'must be a whole number from 1 to 200' })
    .default(50),
}

/** Where a page ends: null at the last. */
export const nextCursor = textOrNull
