import { run } from './index.ts'
import { processIo } from './io.ts'

process.exitCode = await run(process.argv.slice(2), processIo())
