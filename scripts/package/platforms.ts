/** Prepares the packages of automation platforms for `npm pack`: bundled CommonJS, which both platforms load. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, constantsOfEvents } from './bundle.ts'
import { root, version } from './names.ts'

/** Folders of `integrations`, each a package with its own lock file outside the workspaces. */
export const platforms = ['n8n', 'zapier'] as const

export type Platform = (typeof platforms)[number]

type Manifest = {
  readonly version: string
  readonly devDependencies?: unknown
  readonly n8n?: { readonly credentials: readonly string[]; readonly nodes: readonly string[] }
}

const entriesOf = ({ n8n }: Manifest): Record<string, string> =>
  n8n === undefined
    ? { index: 'integrations/zapier/app/index.ts' }
    : Object.fromEntries(
        [...n8n.credentials, ...n8n.nodes].map((file) => {
          const name = file.replace(/\.js$/, '')
          return [name, `integrations/n8n/${name.replace(/^dist\//, '')}.ts`]
        }),
      )

/** Prepares a package in `folder` and returns it. */
export async function layOutPlatform(platform: Platform, folder: string): Promise<string> {
  const source = join(root, 'integrations', platform)
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest
  mkdirSync(folder, { recursive: true })
  await bundle({
    entries: entriesOf(manifest),
    folder,
    oneFile: false,
    target: 'node20',
    commonJs: true,
    outside: /^n8n-workflow$/,
    replaced: constantsOfEvents,
  })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  if (platform === 'n8n') cpSync(join(source, 'icons'), join(folder, 'dist/icons'), { recursive: true })
  return folder
}
