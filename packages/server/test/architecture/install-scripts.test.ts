/** Only reviewed packages may run a script when they are installed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../mutants/planted.ts'

type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }
const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { allowScripts } = json('package.json') as { readonly allowScripts: Readonly<Record<string, boolean>> }

it('npm runs no script of a package here', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
})

it('every package that would run one is named, and none is let', () => {
  const { packages } = json('package-lock.json') as Lock
  const wanting = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(wanting.filter((name) => !(name in allowScripts))).toEqual([])
  expect(Object.entries(allowScripts).filter(([, allowed]) => allowed)).toEqual([])
})
