/**
 * Third-party tools against the API description and the service: swagger-parser, two client generators with `tsc --strict` doing
 * the main job, a validating proxy, and newman. They need an installation (`scripts/strangers`), so only `npm run test:long` runs
 * them.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi, postmanCollection } from '@les/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { long } from '../world/amount.ts'
import { until } from '../process/stage.ts'
import { useWorld, type Team } from '../world/world.ts'
import { area, installMs, installStrangers, manifest, run } from './install.ts'

const work = join(area, 'work')
const tool = (name: string) => join(area, 'node_modules/.bin', name)

async function openProxy(
  description: string,
  upstream: string,
): Promise<{ url: string; log: () => string; close: () => void }> {
  const port = 41_047
  const child = spawn(
    process.execPath,
    [tool('prism'), 'proxy', description, upstream, '--port', String(port), '--errors', '--verboseLevel', 'warn'],
    { cwd: area },
  )
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await until(
    'the proxy answers',
    async () => ((await fetch(`${url}/api/v1/credits`).catch(() => null)) ? true : undefined),
    200,
  )
  return { url, log: () => text, close: () => child.kill() }
}

describe.skipIf(!long)('tools of strangers', () => {
  const world = useWorld()
  let team: Team
  let proxy: Awaited<ReturnType<typeof openProxy>>
  const description = join(work, 'openapi.json')
  beforeAll(async () => {
    await installStrangers()
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { recursive: true })
    cpSync(join(manifest, 'clients'), work, { recursive: true })
    writeFileSync(description, JSON.stringify(openApi({ serverUrl: world.url })))
    team = await world.team()
    proxy = await openProxy(description, world.url)
  }, installMs)
  afterAll(() => proxy?.close())
  const author = () => {
    const handle = world.handle('author')
    world.network.seedPost({ author: handle, reactions: [{ person: world.handle('fan') }] })
    return handle
  }
  const strict = [
    '--outDir',
    join(work, 'js'),
    '--rewriteRelativeImportExtensions',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
    '--types',
    'node',
  ]
  /** Type-checks and compiles a client strictly, and does the main job with it through the proxy. */
  const doTheJob = async (file: string) => {
    const checked = await run(tool('tsc'), [...strict, join('work', file)])
    expect(checked).toEqual({ code: 0, text: '' })
    const emitted = join(work, 'js', file.replace('.mts', '.mjs'))
    const done = await run(process.execPath, [emitted, proxy.url, team.apiKey, author()])
    expect(done).toMatchObject({ code: 0 })
    return JSON.parse(done.text.trim().split('\n').at(-1)!) as Record<string, unknown>
  }

  it('swagger-parser finds the description valid', async () => {
    writeFileSync(
      join(work, 'parse.mjs'),
      "import parser from '@apidevtools/swagger-parser'\nawait parser.validate(process.argv[2])\n",
    )
    expect(await run(process.execPath, [join(work, 'parse.mjs'), description])).toEqual({ code: 0, text: '' })
  })

  it('a client made by openapi-typescript does the main job with the typed 409, and the proxy sees no violation', async () => {
    expect(await run(tool('openapi-typescript'), [description, '-o', join(work, 'schema.ts')])).toMatchObject({
      code: 0,
    })
    expect(await doTheJob('openapi-fetch.mts')).toMatchObject({ perDay: expect.any(Number), left: expect.any(Number) })
  })

  it('a client made by hey-api does it too', async () => {
    expect(
      await run(tool('openapi-ts'), ['-i', description, '-o', join(work, 'hey'), '-c', '@hey-api/client-fetch']),
    ).toMatchObject({ code: 0 })
    expect(await doTheJob('hey-api.mts')).toMatchObject({ perDay: expect.any(Number) })
  })

  it('newman makes every call of the collection through the proxy, and every answer is one that is declared', async () => {
    const file = join(work, 'collection.json')
    writeFileSync(file, JSON.stringify(postmanCollection(proxy.url)))
    const report = join(work, 'newman.json')
    await run(tool('newman'), [
      'run',
      file,
      '--env-var',
      `apiKey=${team.apiKey}`,
      '--reporters',
      'json',
      '--reporter-json-export',
      report,
    ])
    const { run: ran } = JSON.parse(readFileSync(report, 'utf8')) as {
      run: {
        stats: { requests: { total: number } }
        failures: { source: { name: string }; error: { message: string } }[]
      }
    }
    process.stdout.write(`strangers: newman made ${ran.stats.requests.total} calls\n`)
    expect(ran.stats.requests.total).toBeGreaterThan(70)
    expect(ran.failures.map(({ source, error }) => `${source.name}: ${error.message}`)).toEqual([])
  })

  it('the proxy found no violation in all of it', () => {
    expect(
      proxy
        .log()
        .split('\n')
        .filter((line) => /violation/i.test(line)),
    ).toEqual([])
  })
})
