import { join, relative, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { deliveryHeaders, timestampToleranceSeconds } from '../../packages/contract/src/index.ts'
import { root } from './names.ts'

export type Bundling = {
  /** Entry modules by file name without extension. */
  readonly entries: Readonly<Record<string, string>>
  readonly folder: string
  /** One file, late imports included; otherwise late imports get their own files. */
  readonly oneFile: boolean
  readonly target: string
  /** CommonJS in `.js` files, shared code in `dist`; default: modules in `.mjs` files. */
  readonly commonJs?: boolean
  /** Starts each entry, for example `#!/usr/bin/env node`. */
  readonly banner?: string
  /** Additional modules that stay imports. */
  readonly outside?: RegExp
  /** Modules (by path) whose text is replaced, usually by precomputed constants. */
  readonly replaced?: Readonly<Record<string, string>>
}

// An optional dependency that we never install.
const neverThere = ['pg-native']

/** The folder of the package below `node_modules`; null for modules of this checkout. */
export function packageOf(module: string): string | null {
  const at = module.lastIndexOf(`${sep}node_modules${sep}`)
  if (at < 0) return null
  const rest = module.slice(at + '/node_modules/'.length).split(sep)
  return join(module.slice(0, at), 'node_modules', ...rest.slice(0, rest[0]!.startsWith('@') ? 2 : 1))
}

/** The constants that verifying signatures needs, without the events' schemas. */
export const constantsOfEvents: Readonly<Record<string, string>> = {
  'packages/contract/src/events.ts':
    `export const deliveryHeaders = ${JSON.stringify(deliveryHeaders)}\n` +
    `export const timestampToleranceSeconds = ${timestampToleranceSeconds}\n`,
}

const replacing = (texts: Readonly<Record<string, string>>): Plugin => ({
  name: 'replace modules',
  load: (id) => {
    const text = texts[relative(root, id)]
    return text === undefined ? null : { code: text, moduleType: 'js' }
  },
})

/** Bundles, and returns the folders of bundled packages. Fails on unresolved imports. */
export async function bundle(wanted: Bundling): Promise<ReadonlySet<string>> {
  const problems: string[] = []
  const bundled = await rolldown({
    input: { ...wanted.entries },
    cwd: root,
    platform: 'node',
    external: wanted.outside === undefined ? neverThere : [...neverThere, wanted.outside],
    transform: { target: wanted.target },
    plugins: [replacing(wanted.replaced ?? {})],
    onLog: (level, log, handle) => {
      if (log.code === 'UNRESOLVED_IMPORT') problems.push(log.message)
      else if (level !== 'warn') handle(level, log)
    },
  })
  const { output } = await bundled.write({
    dir: wanted.folder,
    format: wanted.commonJs ? 'cjs' : 'esm',
    entryFileNames: wanted.commonJs ? '[name].js' : '[name].mjs',
    // Hashes of the content: the same sources give the same files.
    chunkFileNames: wanted.commonJs ? 'dist/[name]-[hash].js' : '[name]-[hash].mjs',
    ...(wanted.oneFile ? { codeSplitting: false } : {}),
    ...(wanted.banner === undefined ? {} : { banner: (chunk) => (chunk.isEntry ? wanted.banner! : '') }),
  })
  await bundled.close()
  if (problems.length > 0) throw new Error(`not everything could be bundled:\n${problems.join('\n')}`)
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []))
  return new Set(modules.map(packageOf).filter((folder) => folder !== null))
}
