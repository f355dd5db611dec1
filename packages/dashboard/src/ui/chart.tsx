// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
import { lazy, Suspense } from 'react'
import { Skeleton } from './show.tsx'

const Drawing = lazy(() => import('./chart-drawing.tsx'))

export type ChartProps = {
  readonly kind: 'bar' | 'area'
  /** What the chart shows, as a sentence: its accessible name, and the caption of its table. */
  readonly label: string
  readonly data: readonly Readonly<Record<string, string | number | null>>[]
  readonly x: string
  readonly xLabel: string
  readonly series: readonly { readonly key: string; readonly label: string }[]
  readonly stacked?: boolean
  readonly formatX?: (value: string | number) => string
  readonly formatY?: (value: number) => string
  readonly height?: number
}

export function Chart(props: ChartProps) {
  const { label, data, x, xLabel, series, formatX = String, formatY = String, height = 240 } = props
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <div role="img" aria-label={label} style={{ height }}>
        <Suspense fallback={<Skeleton lines={5} />}>
          <Drawing {...props} />
        </Suspense>
      </div>
      <details className="text-[0.8125rem]">
        <summary className="w-fit rounded text-muted hover:text-ink">Show as a table</summary>
        <section className="mt-2 max-h-72 overflow-auto" tabIndex={0} aria-label={`${label}, as a table`}>
          <table className="w-full border-collapse">
            <caption className="sr-only">{label}</caption>
            <thead>
              <tr className="border-b border-line">
                <th scope="col" className="px-2 py-1 font-medium">
                  {xLabel}
                </th>
                {series.map((one) => (
                  <th key={one.key} scope="col" className="px-2 py-1 text-end font-medium">
                    {one.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.map((row) => (
                <tr key={row[x]} className="border-b border-line last:border-0">
                  <th scope="row" className="px-2 py-1 font-normal">
                    {formatX(row[x] ?? '')}
                  </th>
                  {series.map((one) => {
                    const value = row[one.key]
                    return (
                      <td key={one.key} className="px-2 py-1 text-end tabular-nums">
                        {typeof value === 'number' ? formatY(value) : (value ?? '–')}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
