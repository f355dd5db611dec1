/** Makes a document of every frame at the build: the page's own scripts are named in it, so that nothing waits for another script to ask for them. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { build, type Plugin, type Rolldown } from 'vite'
import { layOut, type Call } from '../src/api/lay-out.ts'
import { StillFrame } from '../src/shell/frame.tsx'
import { frames, type Frame } from '../src/shell/frames.ts'

type Calls = { readonly v1: Readonly<Record<string, Call>>; readonly session: Readonly<Record<string, Call>> }
type Chunk = {
  readonly type: 'chunk'
  readonly fileName: string
  readonly facadeModuleId: string | null
  readonly imports: readonly string[]
}
type Bundle = Readonly<Record<string, Chunk | { readonly type: 'asset'; readonly source: string | Uint8Array }>>

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Addresses below a team of what a page asks first. */
const addresses = ({ reads = [] }: Frame, calls: Calls): readonly string[] =>
  reads.map((read) => {
    const [call, root] = 'v1' in read ? [calls.v1[read.v1], '/v1'] : [calls.session[read.session], '']
    if (call === undefined || call[0] !== 'GET') throw new Error(`no read: ${JSON.stringify(read)}`)
    return `${root}${layOut(call, read.input as Readonly<Record<string, unknown>>).path}`
  })

/** A chunk and all it needs. */
function needed(bundle: Bundle, fileName: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = bundle[fileName]
  if (seen.has(fileName) || chunk?.type !== 'chunk') return seen
  seen.add(fileName)
  for (const each of chunk.imports) needed(bundle, each, seen)
  return seen
}

function documentOf(frame: Frame, html: string, bundle: Bundle, calls: Calls): string {
  const chunk = Object.values(bundle).find(
    (each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(`/src/pages/${frame.page}/index.tsx`),
  ) as Chunk | undefined
  if (chunk === undefined) throw new Error(`there is no page ${frame.page}`)
  const links = [...needed(bundle, chunk.fileName)]
    .filter((name) => !html.includes(`/${name}"`))
    .map((name) => `  <link rel="modulepreload" crossorigin href="/${name}">\n`)
  const reads = escaped(JSON.stringify(addresses(frame, calls)))
  return html
    .replace(
      '<script src="/first.js"></script>',
      `<script src="/first.js" data-frame="${frame.kind}" data-page="${frame.name}" data-reads="${reads}"></script>`,
    )
    .replace('</head>', `${links.join('')}</head>`)
    .replace('<title>', frame.title === undefined ? '<title>' : `<title>${frame.title} · `)
    .replace(
      '<div id="root"></div>',
      `<div id="root"></div>\n${renderToStaticMarkup(createElement(StillFrame, { frame }))}`,
    )
}

/** The script that runs first, by itself in one file: it must wait for no other. */
async function firstScript(root: string): Promise<string> {
  const [built] = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      lib: { entry: 'src/first/index.ts', formats: ['iife'], name: 'first' },
      rolldownOptions: { treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contract/') } },
    },
  })) as Rolldown.RolldownOutput[]
  return built!.output[0].code
}

/** The plugin; `calls` says how operations are asked for. */
export function framesPlugin(calls: Calls): Plugin {
  let root = ''
  return {
    name: 'frames',
    configResolved(config) {
      root = config.root
    },
    enforce: 'post',
    async generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: 'first.js', source: await firstScript(root) })
      const start = bundle['index.html']
      if (start?.type !== 'asset') throw new Error('there is no start page')
      const html = String(start.source)
      for (const frame of frames)
        this.emitFile({
          type: 'asset',
          fileName: `frames/${frame.name}.html`,
          source: documentOf(frame, html, bundle as unknown as Bundle, calls),
        })
    },
  }
}
