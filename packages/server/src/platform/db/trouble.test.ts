import { expect, test } from 'vitest'
import { databaseTrouble } from './trouble.ts'
import { mayBeTriedAgain } from './unit-of-work.ts'

const error = (fields: { code?: string; syscall?: string; message?: string }): Error =>
  Object.assign(new Error(fields.message ?? 'x'), fields)

test.each([
  [
    'away',
    [
      '08000',
      '08003',
      '08006',
      '57P01',
      '57P02',
      '57P03',
      '57P05',
      '25P03',
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      'EAI_AGAIN',
    ],
  ],
  ['busy', ['53000', '53200', '53300', '53400', '57014', '55P03', '40P01', '40001']],
  ['unwritable', ['53100', '25006', '58030']],
  [
    null,
    ['23505', '23514', '42601', '42P01', '22P02', '28P01', '3D000', '57P0X', '5310', 'ENOENT', 'ERR_INVALID_ARG_TYPE'],
  ],
] as const)('%s, by code', (trouble, codes) => {
  for (const code of codes) expect([code, databaseTrouble(error({ code }))]).toEqual([code, trouble])
})

test.each([
  ['busy', 'timeout exceeded when trying to connect'],
  ['busy', 'Query read timeout'],
  ['away', 'Connection terminated unexpectedly'],
  ['away', 'Connection terminated due to connection timeout'],
  ['away', 'Client has encountered a connection error and is not queryable'],
  ['away', 'Client was closed and is not queryable'],
  ['away', 'Cannot use a pool after calling end on the pool'],
  ['away', 'driver has already been destroyed'],
  [null, 'the answer says: Connection terminated unexpectedly'],
] as const)('%s, by the words of the driver: %s', (trouble, message) => {
  expect(databaseTrouble(error({ message }))).toBe(trouble)
})

test('a socket file that is not there is a database away; any other file is not, and what is no error is nothing', () => {
  expect(databaseTrouble(error({ code: 'ENOENT', syscall: 'connect' }))).toBe('away')
  expect(databaseTrouble(error({ code: 'ENOENT', syscall: 'open' }))).toBeNull()
  for (const other of [null, undefined, '57P01', { code: '57P01' }]) expect(databaseTrouble(other)).toBeNull()
})

test.each([
  ['busy', 'deadlock detected'],
  ['unwritable', 'could not extend file "base/5/1259": No space left on device'],
  ['away', 'terminating connection due to administrator command'],
  [null, 'duplicate key value violates unique constraint "lead_pkey_102008"'],
] as const)('%s, by the words of a node whose SQLSTATE was lost: %s', (trouble, message) => {
  expect(databaseTrouble(error({ code: 'XX000', message }))).toBe(trouble)
  expect(databaseTrouble(error({ code: 'P0001', message }))).toBeNull()
})

test('a deadlock is tried again, also where its SQLSTATE was lost', () => {
  expect(mayBeTriedAgain(error({ code: '40P01' }))).toBe(true)
  expect(mayBeTriedAgain(error({ code: 'XX000', message: 'deadlock detected' }))).toBe(true)
  expect(mayBeTriedAgain(error({ code: 'XX000', message: 'cache lookup failed' }))).toBe(false)
})
