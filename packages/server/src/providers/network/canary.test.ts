/** A look at a vendor: any answer will do, that there is no such thing included. */
import { expect, it } from 'vitest'
import { ProviderFailure, type ProviderFailureKind } from '../ports.ts'
import { answered } from './canary.ts'

const failure = (kind: ProviderFailureKind) =>
  new ProviderFailure({ provider: 'vend', operation: 'canary', kind, message: kind })

it('is answered by whatever is there, and by what is not', async () => {
  expect(await answered(Promise.resolve(7))).toBeUndefined()
  expect(await answered(Promise.reject(failure('not_found')))).toBeUndefined()
})

it.each([
  ...(['account', 'rate_limited', 'unavailable', 'malformed'] as const).map(failure),
  Object.assign(new Error('ours'), { kind: 'not_found' }),
])('fails with %s', async (error) => expect(answered(Promise.reject(error))).rejects.toBe(error))
