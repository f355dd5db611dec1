/** The agent tools over standard input and output as one file: `les mcp` without the rest of the command line's name. */
import './older-node.ts'
import { run } from '../../../packages/cli/src/index.ts'
import { processIo } from '../../../packages/cli/src/io.ts'

process.exitCode = await run(['mcp', ...process.argv.slice(2)], processIo())
