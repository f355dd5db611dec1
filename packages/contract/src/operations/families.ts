/** Route families that exist once per kind of source: one helper, so that the kinds cannot drift apart. */
import { z } from 'zod'
import { companySlug, idInPath, personHandle, postUrnInPath } from '../values/index.ts'

/** What the sources of one kind are reached by. */
export type Family<P extends z.ZodObject> = { readonly path: string; readonly params: P; readonly noun: string }

/** `/profile/{username}`. */
export const byPerson = {
  path: '/profile/{username}',
  params: z.object({ username: personHandle }),
  noun: 'person',
} as const
/** `/company/{username}`. */
export const byCompany = {
  path: '/company/{username}',
  params: z.object({ username: companySlug }),
  noun: 'company',
} as const
/** `/sources/{id}`: any kind. */
export const bySource = { path: '/sources/{id}', params: z.object({ id: idInPath }), noun: 'source' } as const
/** `/keyword/{id}`: a keyword search, deleted or not. */
export const byKeyword = { path: '/keyword/{id}', params: z.object({ id: idInPath }), noun: 'keyword search' } as const
/** `/post/{urn}`. */
export const byPost = { path: '/post/{urn}', params: z.object({ urn: postUrnInPath }), noun: 'post' } as const
