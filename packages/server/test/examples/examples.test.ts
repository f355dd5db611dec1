/** Playing the story must give the recorded examples' field names; `npm run examples` plays it and rewrites the file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jobResults, recordedExamples, registry, type RecordedExamples } from '@les/contract'
import { expect, it } from 'vitest'
import { long } from '../world/amount.ts'
import { useWorld } from '../world/world.ts'
import { playStory } from './story.ts'

const world = useWorld()
const file = join(import.meta.dirname, '../../../contract/src/openapi/recorded.json')

/** The field names of an object, which must match the recorded example. */
const fieldsOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).sort() : []

const outline = ({ operations, refusals, own, jobs }: RecordedExamples) => ({
  operations: Object.fromEntries(
    Object.entries(operations).map(([id, { answers }]) => [
      id,
      Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, fieldsOf(answer)])),
    ]),
  ),
  refusals: Object.fromEntries(Object.entries(refusals).map(([key, body]) => [key, fieldsOf(body)])),
  jobs: Object.fromEntries(
    Object.entries(jobs).map(([type, job]) => [type, fieldsOf((job as { result: unknown }).result)]),
  ),
  own: Object.fromEntries(Object.entries(own).map(([id, keys]) => [id, Object.keys(keys)])),
})

// Takes ten seconds; the contract's own tests check in every run that the committed examples are valid.
it.runIf(long || process.env.LES_WRITE_EXAMPLES)(
  'every operation has an example of its success and the refusals that the sandbox gives, as they are answered today',
  async () => {
    const played = (await playStory(world)) as RecordedExamples
    expect(registry.map(({ id }) => id).filter((id) => played.operations[id] === undefined)).toEqual([])
    expect(Object.keys(played.jobs).sort()).toEqual(Object.keys(jobResults).sort())
    if (process.env.LES_WRITE_EXAMPLES) writeFileSync(file, `${JSON.stringify(played, null, 2)}\n`)
    else expect(outline(played)).toEqual(outline(recordedExamples))
  },
  120_000,
)
