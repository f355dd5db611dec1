/** `les mcp` as a program of its own. */
import './older-node.ts'
import { run } from '../../../packages/cli/src/index.ts'
import { processIo } from '../../../packages/cli/src/io.ts'

process.exitCode = await run(['mcp', ...process.argv.slice(2)], processIo())
