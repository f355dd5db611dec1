import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadOrCreateSecret, localSecrets, readSecret, replaceSecret } from './local-secrets.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'les-secrets-'))))
afterEach(() => rmSync(folder, { recursive: true }))

it('a local secret is made once, whole, for its owner alone, whoever is faster [SEC-12, SEC-13]', async () => {
  for (const secret of Object.values(localSecrets)) {
    const made = await Promise.all([1, 2, 3].map(() => loadOrCreateSecret(folder, secret, randomBytes)))
    expect(new Set(made).size).toBe(1)
    expect(secret.judge(made[0]!)).toBeNull()
    expect(statSync(join(folder, secret.name)).mode & 0o777).toBe(0o600)
    expect(await readSecret(folder, secret)).toBe(made[0])
  }
  expect(readdirSync(folder).sort()).toEqual(['master-key', 'operator-token'])
})

it.each(['', '\n', 'c2hvcnQ=\n'])(
  'one that holds %j is refused with advice, and stays as it is [SEC-13]',
  async (text) => {
    for (const secret of Object.values(localSecrets)) {
      writeFileSync(join(folder, secret.name), text)
      for (const read of [() => readSecret(folder, secret), () => loadOrCreateSecret(folder, secret, randomBytes)])
        await expect(read()).rejects.toThrow(/is (?:empty|not a whole .*): put back the one of this data folder/)
      expect(readFileSync(join(folder, secret.name), 'utf8')).toBe(text)
    }
  },
)

it('a secret that is written anew takes the place of the earlier one whole, for its owner alone [SEC-13]', async () => {
  writeFileSync(join(folder, 'demo-password'), 'of an earlier database, and longer\n', { mode: 0o644 })
  await replaceSecret(folder, 'demo-password', 'new')
  expect(readFileSync(join(folder, 'demo-password'), 'utf8')).toBe('new\n')
  expect(statSync(join(folder, 'demo-password')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['demo-password'])
})

it('a secret is written into a data folder that is not there yet, as beside a database of one’s own [SEC-13]', async () => {
  await replaceSecret(join(folder, 'fresh'), 'demo-api-key', 'new')
  expect(readFileSync(join(folder, 'fresh/demo-api-key'), 'utf8')).toBe('new\n')
  expect(statSync(join(folder, 'fresh')).mode & 0o777).toBe(0o700)
})
