import { jobResults } from '../resources/index.ts'
import { jsonSchema, type Components, type Json } from './schema.ts'

/** Replaces the `Job` schema by one schema per job type, with the type as discriminator. */
export function describeJobs(components: Components): void {
  const job = components.get('Job')
  if (!job) return
  const { result, type, ...properties } = job.properties as Record<string, Json>
  components.set('JobFields', {
    ...job,
    properties,
    required: (job.required as string[]).filter((name) => name !== 'type'),
  })
  const names = Object.entries(jobResults).map(([jobType, schema]) => {
    const name = `${jobType.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Job`
    components.set(name, {
      allOf: [{ $ref: '#/components/schemas/JobFields' }],
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', const: jobType, description: type!.description },
        result: { ...jsonSchema(schema, 'output', { components, owner: name }), description: result!.description },
      },
    })
    return [jobType, `#/components/schemas/${name}`] as const
  })
  components.set('Job', {
    description: 'A background job. The shape of its result depends on its type.',
    oneOf: names.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(names) },
  })
}
