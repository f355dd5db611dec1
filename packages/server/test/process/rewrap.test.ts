import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { resolve, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readCredential } from '../../src/modules/accounts/index.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { useWorld } from '../world/world.ts'
import { urlOf } from '../world/database-url.ts'

const world = useWorld()
const script = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../scripts/rewrap-secrets.ts')
const run = promisify(execFile)

test('a new master key opens what the old one sealed, the old one opens nothing, and a wrong one changes nothing [AUT-17]', {
  timeout: 120_000,
}, async () => {
  const team = await world.team()
  await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key: 'a-key-worth-keeping' })
  const [old, next, wrong] = [world.service.config.masterKey!, randomBytes(32), randomBytes(32)]
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const change = (from: Buffer, to: Buffer) =>
    run(process.execPath, [script], {
      env: {
        PATH,
        NODE_COMPILE_CACHE,
        DATABASE_URL: urlOf(world.database.connection),
        LES_MASTER_KEY: from.toString('base64'),
        LES_NEW_MASTER_KEY: to.toString('base64'),
      },
    })
  const opened = (master: Buffer) =>
    readCredential(world.database.root, { vault: makeVault(master, randomBytes), teamId: team.id, kind: 'outreach' })
  await expect(change(wrong, next)).rejects.toThrow()
  expect(await opened(old)).toBe('a-key-worth-keeping')
  expect((await change(old, next)).stdout).toMatch(/^1 teams wrapped by the new master key, 0 were already/)
  expect(await opened(next)).toBe('a-key-worth-keeping')
  await expect(opened(old)).rejects.toThrow()
  expect((await change(old, next)).stdout).toMatch(/^0 teams wrapped by the new master key, 1 were already/)
  await expect(run(process.execPath, [script], { env: { PATH, NODE_COMPILE_CACHE } })).rejects.toThrow(
    'DATABASE_URL is not set',
  )
})
