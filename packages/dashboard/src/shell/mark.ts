/** The square with the first letter of the team. */
export const markClass =
  'flex size-7 shrink-0 items-center justify-center rounded-md bg-accent text-xs font-bold text-accent-ink'
