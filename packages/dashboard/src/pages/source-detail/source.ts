import { useV1Query, type SessionResult, type V1Result } from '../../api/index.ts'

export type Health = SessionResult<'getSourceHealth'>['source']

export type Settings = V1Result<'listSources'>['sources'][number]

export function useSettings(source: Health): {
  readonly data: Settings | undefined
  readonly error: unknown
  readonly isPending: boolean
  readonly refetch: () => unknown
} {
  const query = useV1Query('listSources', { type: source.type, includeInactive: true }, { topic: 'sources' })
  return { ...query, data: query.data?.sources.find((each) => each.id === source.id) }
}
