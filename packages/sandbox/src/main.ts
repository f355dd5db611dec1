import { parseArgs } from 'node:util'
import { startSandbox } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9099' },
    host: { type: 'string', default: '127.0.0.1' },
    seed: { type: 'string', default: 'sandbox' },
    memory: { type: 'string' },
  },
})
const port = Number(values.port)
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`--port must be a whole number from 0 to 65535, not "${values.port}"`)
  process.exit(2)
}

try {
  const sandbox = await startSandbox({
    host: values.host,
    port,
    seed: values.seed,
    ...(values.memory === undefined ? {} : { memoryFile: values.memory }),
  })
  console.log(`sandbox network of seed "${values.seed}" at ${sandbox.url}`)
  const { ai, ...others } = sandbox.addresses
  for (const [vendor, address] of Object.entries({ ...others, ...ai })) console.log(`  ${vendor.padEnd(12)} ${address}`)
  console.log(`  ${'control'.padEnd(12)} ${sandbox.url}/control`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
} catch (error) {
  console.error(`the sandbox could not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
