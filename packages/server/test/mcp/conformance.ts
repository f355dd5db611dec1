/** Runs the official conformance suite against an address and reads its summary. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The revisions whose required scenarios are run. */
export const revisions = ['2026-07-28', '2025-11-25'] as const

/** What became of the scenarios: by name, true for one without a failed check. */
export type Outcome = {
  readonly scenarios: ReadonlyMap<string, boolean>
  readonly unscored: ReadonlySet<string>
  readonly text: string
}

const suite = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace(/package\.json$/, 'dist/index.js')

const patientTimers = new URL('patient-timers.ts', import.meta.url).href

/** Runs every scenario that a revision requires. */
export async function runSuite(url: string, revision: (typeof revisions)[number]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    const text = await new Promise<string>((resolve, reject) => {
      let heard = ''
      const asked = ['server', '--url', url, '--requirements', revision, '-o', folder]
      const child = spawn(process.execPath, ['--import', patientTimers, suite, ...asked], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (heard += chunk.toString()))
      child.on('error', reject)
      child.on('close', () => resolve(heard))
    })
    const [summary = '', after = ''] = text.slice(text.indexOf('=== SUMMARY ===')).split('Not scored')
    const scenarios = new Map(
      [...summary.matchAll(/^(✓|✗) (\S+): (\d+) passed, (\d+) failed/gm)].map(
        ([, mark, name]) => [name!, mark === '✓'] as const,
      ),
    )
    return { scenarios, unscored: new Set([...after.matchAll(/^\s*[✓✗] (\S+)/gm)].map(([, name]) => name!)), text }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The required scenarios that failed. */
export function failedOf({ scenarios, unscored }: Outcome): string[] {
  return [...scenarios].filter(([name, passed]) => !passed && !unscored.has(name)).map(([name]) => name)
}
