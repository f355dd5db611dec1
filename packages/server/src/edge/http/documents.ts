/** What is handed out about the interface as JSON: its description, and the collection made from it. */
import { openApi, postmanCollection } from '@les/contract'
import type { Reply } from '../reply.ts'

/** The documents by their address; `publicUrl`: where the service is reached from outside, null when nobody said. */
export function documentsOf(publicUrl: string | null): readonly (readonly [url: string, reply: Reply])[] {
  const reply = (body: unknown): Reply => ({
    status: 200,
    headers: { 'cache-control': 'public, max-age=300' },
    body,
    revalidates: true,
  })
  return [
    ['/openapi.json', reply(openApi({ serverUrl: publicUrl ?? '/' }))],
    ['/collection.json', reply(postmanCollection(publicUrl ?? undefined))],
  ]
}
