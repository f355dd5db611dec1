import { Printer } from 'lucide-react'
import { statementAddress, useRead, useSourceNames, useTeam } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { DownloadLink } from '../../ui/link.tsx'
import { Card, Loaded } from '../../ui/show.tsx'
import { useNow } from '../../ui/text.tsx'
import { signed, type Address } from './ledger.tsx'

const named = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string): string => named.format(new Date(`${month}-01T00:00:00Z`))

function monthsUntil(nowMs: number): readonly string[] {
  const now = new Date(nowMs)
  return Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

/** A month's statement, for reading, printing and download. */
export function Statement({ address: { search, change } }: { address: Address }) {
  const months = monthsUntil(useNow())
  const { month = months[0]! } = search
  const { name } = useTeam()
  const { labelOf } = useSourceNames()
  const query = useRead('getCreditStatement', { month })
  return (
    <Card
      flush
      title={`Statement of ${monthName(month)}`}
      text={`${name}. Calendar month, UTC.`}
      actions={
        <span className="flex flex-wrap items-center gap-2 print:hidden">
          <SelectField
            label="Month"
            hideLabel
            className="w-44"
            value={month}
            onValue={(value) => change({ month: value === months[0] ? undefined : value })}
            choices={[...new Set([month, ...months])].map((value) => ({ value, label: monthName(value) }))}
          />
          <DownloadLink href={statementAddress(month)} download={`statement-${month}.csv`}>
            CSV
          </DownloadLink>
          <Button icon={Printer} onClick={() => window.print()}>
            Print
          </Button>
        </span>
      }
    >
      <Loaded query={query}>
        {({ opening, grants, charges, refunds, lapse, closing }) => {
          const lines: readonly (readonly [key: string, label: string, credits: number])[] = [
            ['grants', 'Credits added', grants],
            ...charges.map(
              ({ sourceId, label, credits }, at) =>
                [sourceId ?? `other ${at}`, labelOf(sourceId, label) ?? 'Other charges', credits] as const,
            ),
            ['refunds', 'Given back', refunds],
            ['lapse', 'Lapsed', lapse],
          ]
          const row = 'border-b border-line [&>*]:px-4 [&>*]:py-2'
          return (
            <table className="w-full text-sm" aria-label={`Statement of ${monthName(month)}`}>
              <thead className="text-muted">
                <tr className={row}>
                  <th scope="col" className="font-medium">
                    What
                  </th>
                  <th scope="col" className="text-end! font-medium">
                    Credits
                  </th>
                </tr>
              </thead>
              <tbody className="[&_td]:text-end [&_td]:tabular-nums">
                <tr className={row}>
                  <th scope="row">Opening balance</th>
                  <td className="font-semibold">{signed(opening)}</td>
                </tr>
                {lines.map(([key, label, credits]) => (
                  <tr key={key} className={row}>
                    <th scope="row" className="font-normal break-words">
                      {label}
                    </th>
                    <td>{signed(credits)}</td>
                  </tr>
                ))}
                <tr className="[&>*]:px-4 [&>*]:py-2">
                  <th scope="row">Closing balance</th>
                  <td className="font-semibold">{signed(closing)}</td>
                </tr>
              </tbody>
            </table>
          )
        }}
      </Loaded>
    </Card>
  )
}
