/** The colour of the n-th series: ten that differ in both themes, then again from the first. */
export function seriesColor(index: number): string {
  return `var(--chart-${(index % 10) + 1})`
}
