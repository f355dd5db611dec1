/**
 * Checks many random expressions: `node packages/server/test/keywords/expressions-many.ts [--inputs 1000000] [--seed 1]`. Exits
 * with 1 if one fails or takes more than 50 ms of CPU time three times in a row.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import {
  anyText,
  expressions,
  limitMs,
  mustAgree,
  mustHold,
  slowestMs,
  tookUs,
  vocabulary,
  withinLimit,
} from './expression-inputs.ts'

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
})
const inputs = Number(values.inputs)
const began = performance.now()
const half = Math.ceil(inputs / 2)
const present = fc.subarray([...vocabulary]).map((terms) => new Set<string>(terms))
fc.assert(
  fc.property(anyText, (text) => withinLimit(() => mustHold(text))),
  { numRuns: half, seed: Number(values.seed) },
)
fc.assert(
  fc.property(expressions, present, ({ text, parts }, terms) => withinLimit(() => mustAgree(text, parts, terms))),
  { numRuns: inputs - half, seed: Number(values.seed) },
)
console.log(
  `${inputs} inputs held; p99.9 ${(tookUs.percentile(99.9) / 1000).toFixed(2)} ms of processor time, ` +
    `the slowest ${slowestMs.toFixed(1)} ms of ${limitMs} ms of it; ` +
    `${((performance.now() - began) / 1000).toFixed(0)} s in all`,
)
