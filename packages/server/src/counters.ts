/** Every counter that units of work and requests add to, each with one label. */
export const counters = {
  undeclared_refusals: {
    name: 'les_undeclared_refusals_total',
    label: 'operation',
    help: 'Refusals answered by an operation that does not declare them. Must be 0.',
  },
  leases_taken_over: {
    name: 'les_leases_taken_over_total',
    label: 'kind',
    help: 'Work taken over because the worker that had it fell silent.',
  },
  leases_lost: {
    name: 'les_leases_lost_total',
    label: 'kind',
    help: 'Results thrown away because the work was taken over or ended meanwhile.',
  },
  unexpected_failures: {
    name: 'les_unexpected_failures_total',
    label: 'kind',
    help: 'Work that failed unexpectedly and was put off, or ended after the fifth time.',
  },
  credits_charged: { name: 'les_credits_charged_total', label: 'category', help: 'Credits charged.' },
  deliveries: {
    name: 'les_deliveries_total',
    label: 'outcome',
    help: 'Attempts to deliver an event, by what became of it.',
  },
  rows_purged: {
    name: 'les_rows_purged_total',
    label: 'rule',
    help: 'Rows deleted, or emptied, because a rule of retention keeps them no longer.',
  },
} as const
