import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const revisions = ['2026-07-28', '2025-11-25'] as const

const suite = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace(/package\.json$/, 'dist/index.js')

const patientTimers = new URL('patient-timers.ts', import.meta.url).href

/** Runs all scenarios that a revision requires; returns by name whether each passed without a failed check. */
export async function runSuite(
  url: string,
  revision: (typeof revisions)[number],
): Promise<ReadonlyMap<string, boolean>> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    const text = await new Promise<string>((resolve, reject) => {
      let heard = ''
      // Calls of missing tools may wait half a minute: limited to a second, six times that under the patient timers.
      const asked = ['server', '--url', url, '--requirements', revision, '--timeout', '1000', '-o', folder]
      const child = spawn(process.execPath, ['--import', patientTimers, suite, ...asked], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (heard += chunk.toString()))
      child.on('error', reject)
      child.on('close', () => resolve(heard))
    })
    const [summary = ''] = text.slice(text.indexOf('=== SUMMARY ===')).split('Not scored')
    return new Map(
      [...summary.matchAll(/^(✓|✗) (\S+): (\d+) passed, (\d+) failed/gm)].map(
        ([, mark, name]) => [name!, mark === '✓'] as const,
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
