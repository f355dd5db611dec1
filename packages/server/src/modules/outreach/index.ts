/** The public face of outreach: the connection, auto-push rules, and sends to campaigns. */
export { offerToOutreach, pushHistoric, readRule, removeRule, saveRule, type RuleRequest } from './actions.ts'
export { noAgents, type AgentScore, type AgentScores } from './agent-scores.ts'
export { checkCampaign, type OutreachDeps } from './connection.ts'
export { outreachWork } from './jobs.ts'
export { outreachOperations, type OutreachOperationId } from './operations.ts'
export { presentRule } from './present.ts'
export type { Historic } from './queue-store.ts'
export type { Rule, RuleOwner } from './rule-store.ts'
