/** Which sources belong to which agent. */
export { noteAgentPeople, notePeople, notePosts, takeNotes } from './notes.ts'
export {
  agentsFedBy,
  sourcesMadeBy,
  writeAgentSource,
  writeStopped,
  writeUntracked,
  type AgentName,
} from './store.ts'
