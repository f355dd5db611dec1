/** A service never runs with a master key that cannot decrypt its database (AUT-17). */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkMasterKey, resealMasterKeyCheck } from '../../src/modules/accounts/index.ts'
import { fingerprintOf } from '../../src/platform/secrets.ts'
import { createWorld, useWorld } from '../world/world.ts'

const world = useWorld()
const check = (key: Buffer) => checkMasterKey(world.database.bare, key, randomBytes)

test('a start under another key is refused, naming the key that was expected and no key at all [AUT-17]', async () => {
  const right = world.service.config.masterKey!
  const wrong = randomBytes(32)
  await check(right)
  await check(right)
  const refused = await createWorld({
    config: { masterKey: wrong },
    overrides: { connection: world.database.connection },
  }).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(refused).toContain(
    `expected the one with the fingerprint ${fingerprintOf(right)}, got ${fingerprintOf(wrong)}`,
  )
  for (const key of [right, wrong])
    for (const form of ['hex', 'base64', 'base64url'] as const) expect(refused).not.toContain(key.toString(form))
  expect(fingerprintOf(right)).toMatch(/^[0-9a-f]{12}$/)
})

test('a changed key is the one expected from then on, and a change from a wrong key is refused [AUT-17]', async () => {
  const right = world.service.config.masterKey!
  const [next, wrong] = [randomBytes(32), randomBytes(32)]
  const reseal = (from: Buffer, to: Buffer) =>
    world.service.unitOfWork((tx) => resealMasterKeyCheck(tx, { from, to, randomBytes }))
  await expect(reseal(wrong, next)).rejects.toThrow('under another master key')
  await reseal(right, next)
  await reseal(right, next)
  await check(next)
  await expect(check(right)).rejects.toThrow(fingerprintOf(next))
  await reseal(next, right)
})
