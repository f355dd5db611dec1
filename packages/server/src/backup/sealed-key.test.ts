import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openKey, sealKey } from './sealed-key.ts'

it('a sealed master key opens with its passphrase alone, and a changed file does not open', async () => {
  const key = randomBytes(32)
  const sealed = await sealKey(key, 'correct horse battery', randomBytes)
  expect(sealed).not.toContain(key.toString('base64'))
  expect(await openKey(sealed, 'correct horse battery')).toEqual(key)
  await expect(openKey(sealed, 'correct horse batterz')).rejects.toThrow('does not open')
  await expect(openKey(sealed.replace(/.{6}\n$/, 'AAAAAA\n'), 'correct horse battery')).rejects.toThrow('does not open')
  await expect(openKey('nothing', 'correct horse battery')).rejects.toThrow('damaged')
  await expect(sealKey(key, 'short', randomBytes)).rejects.toThrow('at least 16')
})
