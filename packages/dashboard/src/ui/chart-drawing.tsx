import type { ReactNode } from 'react'
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import type { ChartProps } from './chart.tsx'

/** The colour of the n-th series: ten colours that differ in both themes, repeated. */
function seriesColor(index: number): string {
  return `var(--chart-${(index % 10) + 1})`
}

const tick = { fill: 'var(--muted)', fontSize: 12 }
const box = {
  background: 'var(--raised)',
  border: '1px solid var(--line)',
  borderRadius: 8,
  color: 'var(--ink)',
  fontSize: 13,
}

function parts({ kind, series, stacked }: ChartProps): ReactNode {
  return series.map((one, index) => {
    const color = seriesColor(index)
    const common = { dataKey: one.key, name: one.label, isAnimationActive: false } as const
    if (kind === 'bar')
      return <Bar key={one.key} {...common} maxBarSize={72} fill={color} {...(stacked ? { stackId: 'all' } : {})} />
    return <Area key={one.key} {...common} stroke={color} fill={color} fillOpacity={0.22} strokeWidth={2} />
  })
}

export default function ChartDrawing(props: ChartProps) {
  const { kind, data, x, series, formatX = String, formatY = String } = props
  const Frame = kind === 'bar' ? BarChart : AreaChart
  return (
    <ResponsiveContainer width="100%" height="100%">
      <Frame
        data={data as Record<string, unknown>[]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey={x}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          tickFormatter={(value) => formatX(value as string | number)}
          minTickGap={16}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={48}
          tickFormatter={(value) => formatY(value as number)}
        />
        <Tooltip
          contentStyle={box}
          cursor={{ fill: 'var(--sunken)', stroke: 'var(--line)' }}
          labelFormatter={(value) => formatX(value as string | number)}
          formatter={(value) => formatY(value as number)}
        />
        {series.length > 1 && <Legend formatter={(value) => <span className="text-ink">{value}</span>} />}
        {parts(props)}
      </Frame>
    </ResponsiveContainer>
  )
}
