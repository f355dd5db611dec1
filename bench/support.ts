/** What the benchmarks share: a database of their own, a composed service, a table of figures. */
import { rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { randomBytes } from 'node:crypto'
import { compose, type Overrides, type Service } from '../packages/server/src/composition/compose.ts'
import type { Config } from '../packages/server/src/config/config.ts'
import { createTeam } from '../packages/server/src/modules/accounts/index.ts'
import { openAccount } from '../packages/server/src/modules/credits/index.ts'
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded.ts'
import { openDatabase } from '../packages/server/src/platform/db/open.ts'
import { openLog } from '../packages/server/src/platform/log.ts'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'

/** A service on an embedded database with fsync on, as it ships. */
export type Stage = {
  readonly service: Service
  /** For filling tables: statements there take as long as they take. */
  readonly tools: ReturnType<typeof openDatabase>
  team(credits?: number): Promise<{ id: string; apiKey: string; signingSecret: string }>
  close(): Promise<void>
}

/** Opens a stage; nothing works by itself unless `roles` says so. */
export async function openStage(options: { config?: Partial<Config>; overrides?: Overrides } = {}): Promise<Stage> {
  const dataDir = await temporaryFolder('les-bench-')
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    roles: ['http'],
    databaseUrl: null,
    dataDir,
    masterKey: randomBytes(32),
    operatorToken: 'bench',
    securityContact: null,
    vendors: { kind: 'sandbox' },
    allowPrivateDestinations: true,
    signUp: 'off',
    agentEnabled: true,
    keywordCutoverAt: new Date('2026-11-01T00:00:00.000Z'),
    clock: { mode: 'system' },
    faults: false,
    seedDemo: false,
    metricsPort: null,
    logLevel: 'silent',
    publicUrl: null,
    trustedProxies: [],
    mail: null,
    ...options.config,
  }
  const service = await compose(config, openLog('silent'), { connection: postgres.connection, ...options.overrides })
  await service.start()
  const tools = openDatabase(postgres.connection, { poolSize: 2, onError: () => {} })
  return {
    service,
    tools,
    team: (credits = 10_000_000) =>
      service.unitOfWork(async (tx) => {
        const limits = { reads: 1_000_000_000, writes: 1_000_000_000 }
        const made = await createTeam(tx, service.vault, service.ids, {
          name: 'Bench',
          plan: 'growth',
          status: 'active',
          limits,
        })
        await openAccount(tx, made.team.id, { status: 'active', allowance: credits })
        return { id: made.team.id, apiKey: made.apiKey, signingSecret: made.signingSecret }
      }),
    close: async () => {
      await tools.close()
      await service.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One line of the table: a figure, the limit measured in the same run, and the ratio against what is aimed at. */
export type Figure = {
  readonly name: string
  readonly measured: string
  readonly limit: string
  readonly ratio: number | null
  readonly aim: string
  readonly reached: boolean
}

/** Prints figures as a Markdown table with the machine on top. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n## ${title}\n\n${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}\n`)
  console.log('| figure | measured | limit in the same run | ratio | aim | reached |\n|---|---|---|---|---|---|')
  for (const each of figures)
    console.log(
      `| ${each.name} | ${each.measured} | ${each.limit} | ${each.ratio === null ? '' : each.ratio.toFixed(2)} | ${each.aim} | ${each.reached ? 'yes' : 'no'} |`,
    )
}

/** Seconds that `work` takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Middle value of repeated measurements. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Reads `--name value` from the command line. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
