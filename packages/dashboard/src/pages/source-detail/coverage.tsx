import { heldBackNames } from '@les/contract'
import { useRead, useReadAt, type ResultOf } from '../../api/index.ts'
import { column, type Column } from '../../ui/columns.tsx'
import { count } from '../../ui/format.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { Card, Facts } from '../../ui/show.tsx'
import { SafeLink } from '../../ui/text.tsx'
import { useAddress } from '../../app/address.ts'
import type { Health } from './source.ts'

type Post = ResultOf<'getSourceCoverage'>['posts'][number]

const shorter = (address: string): string => address.replace(/^https:\/\/www\.linkedin\.com\/(?:feed\/update\/)?/, '')

const columns: readonly Column<Post>[] = [
  column('Post', { width: 'minmax(140px, 1fr)' }, (post) => (
    <SafeLink href={post.postUrl}>{shorter(post.postUrl)}</SafeLink>
  )),
  column('Declared', { align: 'end' }, (post) => count(post.declared)),
  column('Captured', { align: 'end' }, (post) => count(post.captured)),
  column('Missing', { align: 'end' }, (post) => count(post.missing)),
  column('What keeps them out', { width: 'minmax(160px, 1.5fr)', phone: 'whole' }, (post) =>
    post.heldBackBy === null ? '–' : heldBackNames[post.heldBackBy],
  ),
  column('Credits to get them', { align: 'end' }, (post) =>
    post.missing === 0
      ? '–'
      : post.creditsToGetMissing === null
        ? 'cannot be had'
        : `${count(post.creditsToGetMissing)} at most`,
  ),
]

function howLong(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}

type Spread = ResultOf<'getFreshness'>['team']['engagementToCaptured']

const spread = (figures: Spread): string | null =>
  figures && `half within ${howLong(figures.p50)}, 95 of 100 within ${howLong(figures.p95)}`

/** How fast this source's engagement is captured, enriched and delivered. */
function Freshness({ source }: { source: Health }) {
  const { data } = useRead('getFreshness', {}, { staleTime: 60_000 })
  const figures = data?.sources.find(({ sourceId }) => sourceId === source.id)
  const known = figures && [figures.engagementToCaptured, figures.capturedToEnriched, figures.enrichedToDelivered]
  return (
    <Card title="How fast it goes" text="Over the last 7 days, for engagement with a known time.">
      {known?.some((each) => each !== null) ? (
        <Facts
          facts={[
            ['From engagement to captured', spread(figures!.engagementToCaptured)],
            ['From captured to details', spread(figures!.capturedToEnriched)],
            ['From details to delivered', spread(figures!.enrichedToDelivered)],
          ]}
        />
      ) : (
        <p className="text-sm text-muted">No such engagement in the last 7 days.</p>
      )}
    </Card>
  )
}

/** Declared and captured engagement of the source's posts, and the price of the rest. */
export function Coverage({ source }: { source: Health }) {
  const pages = useAddress('/signed-in/team/sources/$id').pages()
  const query = useReadAt('getSourceCoverage', pages, { id: source.id })
  return (
    <div className="flex flex-col gap-4">
      <ListCard
        title="Post by post"
        text="How many reactions and comments each post declares, and how many of them are lead rows."
        label="Coverage"
        query={query}
        columns={columns}
        rows={query.data?.posts ?? []}
        rowId={(post) => post.postUrl}
        pages={pages}
        empty={{ title: 'No post was read yet', text: 'The first run that reads posts fills this list.' }}
      />
      <Freshness source={source} />
    </div>
  )
}
