/** The colour of the n-th series: six that differ in both themes, then again from the first. */
export function seriesColor(index: number): string {
  return `var(--chart-${(index % 6) + 1})`
}
