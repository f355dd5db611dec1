import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rulesVersion } from './version.ts'

const recorded = { version: 1, digest: 'b544f2721877417d' }

it('the rules that judge people have the number under which their judgements are kept', () => {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter(
    (name) => /\.(?:ts|json)$/.test(name) && !name.endsWith('.test.ts') && name !== 'version.ts',
  )
  const hash = createHash('sha256')
  for (const name of files.sort()) hash.update(`${name}\n${readFileSync(new URL(name, folder), 'utf8')}`)
  const digest = hash.digest('hex').slice(0, 16)
  // When a rule's meaning changes, increase `rulesVersion`, so that everybody is judged again; then update both values here.
  expect({ version: rulesVersion, digest }).toEqual(recorded)
})
