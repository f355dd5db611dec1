import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { untilAnswered } from './stdio.ts'

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

function piped() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { streams, done } = untilAnswered(input, output)
  const state = { isDone: false }
  void done.then(() => (state.isDone = true))
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    return state.isDone
  }
  return { input, output, streams, settle }
}

it('lines that were piped in are answered before serving ends', async () => {
  const { input, output, streams, settle } = piped()
  let [served, written] = ['', '']
  streams.input.on('data', (chunk: Buffer) => (served += chunk.toString()))
  output.on('data', (chunk: Buffer) => (written += chunk.toString()))
  input.write(line({ id: 1, method: 'initialize' }) + line({ method: 'notifications/initialized' }))
  input.end(line({ id: 2, method: 'tools/call' }))
  streams.output.write(line({ id: 1, result: {} }))
  expect(await settle()).toBe(false)
  expect(served).toContain('tools/call')
  streams.output.write(line({ id: 2, result: {} }))
  expect(await settle()).toBe(true)
  expect(written).toContain('"id":2')
})

it('a client that stays is served on, and one that went is asked nothing', async () => {
  const staying = piped()
  staying.input.write(line({ id: 1, method: 'ping' }))
  staying.streams.output.write(line({ id: 1, result: {} }))
  expect(await staying.settle()).toBe(false)
  staying.input.write(line({ id: 2, method: 'tools/call' }))
  staying.input.end()
  expect(await staying.settle()).toBe(false)
  staying.streams.output.write(line({ id: 'q', method: 'elicitation/create' }))
  expect(await staying.settle()).toBe(true)
})
