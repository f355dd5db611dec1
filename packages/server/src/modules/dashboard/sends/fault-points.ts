/** The fault points that `sends` passes, with what each lies between. */

/** By name. */
export const sendsFaultPoints = {
  'send.claimed': 'a part of a send of a person is claimed, nothing is queued or asked',
  'send.before-commit': 'a part of a send is queued and noted, not committed',
  'send.answered': 'people of a send are in the campaign, the part is not noted',
} as const

type SendsFaultPoints = typeof sendsFaultPoints
declare module '../../../platform/faults.ts' {
  interface FaultPoints extends SendsFaultPoints {}
}
