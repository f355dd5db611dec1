/** `/llms.txt`: tells a language model what this service is and where its interfaces are. */
import type { Operation } from './operation.ts'
import { basePath, interfaceVersion, registry } from './registry.ts'

export function llmsText(): string {
  const operations = registry as readonly Operation[]
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return [
    '# Lead Engagement Service',
    '',
    '> Captures the people who engage with posts on a professional network, enriches them and delivers them as leads.',
    '',
    `Interface version ${interfaceVersion}. Every call needs an API key in X-API-Key. Each team can make 120 ` +
      'reads and 60 writes per minute. A call that creates or raises a charge is first refused with 409 and ' +
      'figures; send the same request with confirmSpend: true to perform it. Every write, and every read that ' +
      'charges, takes an Idempotency-Key: repeat calls that charge only with the same key.',
    '',
    '## Interfaces',
    '',
    '- [OpenAPI description](/openapi.json): every operation, field and error',
    '- [Postman collection](/collection.json): every operation with an example',
    '- [Reference](/docs): the same in the browser',
    '- [Agent tools](/mcp): the same operations as MCP tools over streamable HTTP; send the key as X-API-Key or ' +
      'Authorization: Bearer',
    '',
    ...tags.flatMap((tag) => [
      `## ${tag[0]!.toUpperCase()}${tag.slice(1)}`,
      '',
      ...operations
        .filter((operation) => operation.tag === tag)
        .map(({ method, path, summary, id }) => `- ${method} ${basePath}${path} (${id}): ${summary}`),
      '',
    ]),
  ].join('\n')
}
