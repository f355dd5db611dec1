/** How the pages are built: a chunk per page, nothing inline (the policy of the pages forbids it). */
import { fileURLToPath } from 'node:url'
import {
  agentFilterColumns,
  agentFilterValues,
  bounds,
  filterOperands,
  initialSearch,
  initialSettings,
  leadFilterColumns,
  leadFilterValues,
  operatorsOf,
  registry,
  sessionRegistry,
} from '@les/contract'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

type Entry = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly body: unknown
  readonly role?: string | null
}

/**
 * What a caller needs of an operation, without its schemas: method, path, the names of its query fields where there is a body (without
 * one everything goes into the query), and whether it needs no team.
 */
const callsOf = (entries: readonly Entry[], prefix: string) =>
  entries.map(({ id, method, path, query, body, role }) => {
    const queryNames = body === null ? null : Object.keys((query as { shape?: object } | null)?.shape ?? {})
    const rest = role === null ? [queryNames, true] : queryNames === null ? [] : [queryNames]
    return [id, [method, `${prefix}${path}`, ...rest]]
  })

const listed = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')

/** The lists and numbers of the contract that pages need, without its schemas. */
const modules: Readonly<Record<string, string>> = {
  'virtual:operations': listed({
    calls: Object.fromEntries([...callsOf(registry, '/v1'), ...callsOf(sessionRegistry, '')]),
  }),
  'virtual:values': listed({
    bounds,
    leadFilterColumns,
    agentFilterColumns,
    agentFilterValues,
    leadFilterValues,
    operatorsOf,
    filterOperands,
    initialSearch,
    initialSettings,
  }),
}

function contract(): Plugin {
  return {
    name: 'contract',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? modules[id.slice(1)] : undefined),
  }
}

/**
 * Few files: each costs a round trip, and a page waits for all it needs. `base` changes with libraries alone and stays in caches over
 * releases; `kit` is what pages are made of, with what all of them ask by and what the pages without navigation share, `parts` what several
 * of them share. Charts and the palette stay apart.
 */
const groups = [
  {
    name: 'base',
    test: /rolldown\/runtime|node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|react-query|query-core|react-store|store))\//,
    priority: 2,
  },
  {
    name: 'kit',
    test: /dashboard\/src\/(?:ui\/(?!chart-drawing|funnel)|api\/|sends\/|shell\/(?:auth|navigation|leave|sample-note)|app\/(?:client|stored|search|address))|packages\/contract\/src(?!\/csv)|node_modules\/(?:@base-ui|@floating-ui|@tanstack|lucide-react)\//,
    priority: 1,
  },
  { name: 'parts', test: /dashboard\/src\/pages\//, minShareCount: 2 },
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [contract(), react(), tailwindcss()],
  // The contract's modules do nothing by being loaded: what a page does not use of them, and the schemas above all, is left out.
  build: {
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contract/') },
      output: { codeSplitting: { groups } },
    },
    outDir: 'dist',
    emptyOutDir: true,
    // What each page is made of, for the test of its size; a name that begins with a dot is not served.
    manifest: '.manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
})
