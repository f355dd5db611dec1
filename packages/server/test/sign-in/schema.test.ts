/** The tables of sign-in are those that its library expects. */
import { getMigrations } from 'better-auth/db/migration'
import { expect, it } from 'vitest'
import { authOptions } from '../../src/sign-in/better-auth.ts'
import { signInParts, useSignIn } from './parts.ts'

const own = useSignIn()

it('better-auth finds nothing to create or to add in a migrated database', async () => {
  const warnings: string[] = []
  const options = authOptions(signInParts(own.database))
  const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems, compileMigrations } = await getMigrations({
    ...options,
    logger: { log: (_level, message) => void warnings.push(message) },
  })
  expect(toBeCreated.map(({ table }) => table)).toEqual([])
  expect(toBeAdded).toEqual([])
  expect(toBeAddedIndexes).toEqual([])
  expect(schemaProblems).toEqual([])
  // The library generates `bigint` but does not recognise `int8` as the same type.
  expect(warnings).toEqual([
    'Field lastRequest in table rateLimit has a different type in the database. Expected number but got int8.',
  ])
  expect(await compileMigrations()).toBe(';')
})

it('no column of sign-in reads a clock or makes an id by itself', async () => {
  const { rows } = await own.database.pool.query(
    `select table_name, column_name from information_schema.columns where table_schema = 'sign_in' and column_default is not null`,
  )
  expect(rows).toEqual([])
})
