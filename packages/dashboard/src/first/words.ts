/** What the largest part of a page says, drawn as the page draws it, so that nothing larger comes later. */
import type { SessionResult, V1Result } from '../api/types.ts'
import { forecastWords } from '../pages/credits/forecast.ts'
import { worstFirst } from '../pages/source-detail/worst.ts'
import { count, day, planName, timeAgo } from '../ui/format.ts'
import type { Piece, Pieces } from './pieces.ts'

type FirstWords = { readonly read: string; readonly pieces: (said: unknown, nowMs: number) => Pieces }

/** Words drawn from the answer of one read, whose address begins with `read`; the service answers what its contract says. */
const from = <Said>(read: string, pieces: (said: Said, nowMs: number) => Pieces): FirstWords => ({
  read,
  pieces: (said, nowMs) => pieces(said as Said, nowMs),
})

const row = 'flex flex-wrap items-center gap-x-3 gap-y-1 text-sm'

function sourcePieces({ source }: SessionResult<'getSourceHealth'>, nowMs: number): Pieces {
  const [worst] = worstFirst(source.warnings)
  const { lastRun } = source
  const line: Piece =
    source.ended !== null
      ? {
          class: row,
          in: [{ tag: 'span', class: 'text-muted', in: `Ended. ${source.ended} It runs again when you say so above.` }],
        }
      : worst !== undefined
        ? {
            class: 'rounded-lg border border-line bg-surface px-3 py-2 text-sm',
            in: [{ tag: 'p', class: '', in: `${worst.text} ${worst.advice}` }],
          }
        : {
            class: row,
            in: [
              {
                tag: 'span',
                class: 'text-muted',
                in:
                  lastRun === null
                    ? 'No run yet'
                    : `${lastRun.words}${lastRun.finishedAt ? ` (${timeAgo(lastRun.finishedAt, nowMs)})` : ''}`,
              },
            ],
          }
  return { title: source.label, body: [line] }
}

const stat = (label: string, value: string, hint: string): Piece => ({
  class: 'rounded-xl border border-line bg-surface px-4 py-3',
  in: [
    { tag: 'p', class: 'text-[0.8125rem] text-muted', in: label },
    { tag: 'p', class: 'text-2xl font-semibold tracking-tight tabular-nums', in: value },
    { tag: 'p', class: 'text-[0.8125rem] text-muted', in: hint },
  ],
})

function creditPieces({ credits, forecast }: SessionResult<'getBurn'>, nowMs: number): Pieces {
  const said = forecastWords(forecast, credits.balance, nowMs)
  return {
    body: [
      {
        class: 'grid grid-cols-2 gap-3 lg:grid-cols-4',
        in: [
          stat('Credits left', count(credits.balance), 'to spend now'),
          stat('Used in this period', count(credits.used), `of ${count(credits.limit)} the plan gives`),
          stat('Plan', planName(credits.plan), `${count(credits.limit)} credits a period`),
          stat('New credits', day(credits.nextReset), 'the rest of the plan lapses'),
        ],
      },
      {
        class: 'rounded-lg bg-sunken px-4 py-3 text-sm',
        in: [
          { tag: 'p', class: 'font-semibold', in: said.title },
          { class: '', in: said.text },
        ],
      },
    ],
  }
}

type Lead = V1Result<'listLeads'>['leads'][number]

const leadPiece = (lead: Lead): Piece => ({
  tag: 'li',
  class: 'flex items-start gap-3 px-4 py-3 text-sm',
  in: [
    { tag: 'span', class: 'size-9 shrink-0 rounded-full bg-sunken', in: '' },
    {
      tag: 'span',
      class: 'min-w-0 flex-1',
      in: [
        {
          tag: 'span',
          class: 'block truncate font-medium',
          in: [lead.name, lead.jobTitle, lead.companyName].filter(Boolean).join(', '),
        },
        { tag: 'span', class: 'block truncate text-[0.8125rem] text-muted', in: '\u00a0' },
        ...(lead.commentText
          ? [{ tag: 'span', class: 'mt-1 line-clamp-2 block text-ink', in: `“${lead.commentText}”` }]
          : []),
      ],
    },
  ],
})

const homePieces = ({ leads }: V1Result<'listLeads'>): Pieces => ({
  body:
    leads.length === 0
      ? []
      : [
          {
            class: 'grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]',
            in: [
              {
                tag: 'ul',
                class: 'flex flex-col divide-y divide-line rounded-xl border border-line bg-surface',
                in: leads.map(leadPiece),
              },
            ],
          },
        ],
})

/** Of the pages whose largest part is not their heading: by the name of the document, which of its reads says it. */
export const firstWords: Readonly<Record<string, FirstWords>> = {
  'sources-id': from('/sources/', sourcePieces),
  credits: from('/credits/burn', creditPieces),
  home: from('/v1/leads?isIcp=true&since=', homePieces),
}
