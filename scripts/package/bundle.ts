/** Bundles TypeScript of this checkout into plain JavaScript, and says of which packages what came out is made. */
import { join, relative, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { deliveryHeaders, timestampToleranceSeconds } from '../../packages/contract/src/index.ts'
import { root } from './names.ts'

export type Bundling = {
  /** File names without ending, and the modules they begin with. */
  readonly entries: Readonly<Record<string, string>>
  readonly folder: string
  /** One file, whatever is imported late; else what is imported late stays in files of its own. */
  readonly oneFile: boolean
  readonly target: string
  /** CommonJS in files `.js`, what they share in `dist`; left out: modules in files `.mjs`. */
  readonly commonJs?: boolean
  /** Put before everything else of each entry, such as `#!/usr/bin/env node`. */
  readonly banner?: string
  /** What stays an import besides what is never there. */
  readonly outside?: RegExp
  /** Modules of this checkout, by their path, whose text is replaced: what they compute is put in the place of how. */
  readonly replaced?: Readonly<Record<string, string>>
}

// Loaded only where somebody has installed it, and never by us.
const neverThere = ['pg-native']

/** The folder of the package that a module belongs to, below `node_modules`; null for modules of this checkout. */
export function packageOf(module: string): string | null {
  const at = module.lastIndexOf(`${sep}node_modules${sep}`)
  if (at < 0) return null
  const rest = module.slice(at + '/node_modules/'.length).split(sep)
  return join(module.slice(0, at), 'node_modules', ...rest.slice(0, rest[0]!.startsWith('@') ? 2 : 1))
}

/** All that a check of signatures needs of the events, without the schemas of their payloads. */
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

/** Bundles; answers the folders of the packages whose code went in. Fails on anything that could not be resolved. */
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
    // Names by content: the same sources give the same tree.
    chunkFileNames: wanted.commonJs ? 'dist/[name]-[hash].js' : '[name]-[hash].mjs',
    ...(wanted.oneFile ? { codeSplitting: false } : {}),
    ...(wanted.banner === undefined ? {} : { banner: (chunk) => (chunk.isEntry ? wanted.banner! : '') }),
  })
  await bundled.close()
  if (problems.length > 0) throw new Error(`not everything could be bundled:\n${problems.join('\n')}`)
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []))
  return new Set(modules.map(packageOf).filter((folder) => folder !== null))
}
