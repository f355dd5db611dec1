/** The agent-tool server: tools made from the contract's registry. */
export { errorResult, type ToolAnswer } from './answer.ts'
export type { Dispatch, DispatchSettings } from './call.ts'
export { isSafe, listed, toolsOf, type Tool, type View } from './definition.ts'
export { instructions, makeToolServer, reachesOperation, type ToolServerParts } from './server.ts'
export { canonical, questionsInMemory, type SpendQuestion, type SpendQuestions } from './spend.ts'
export { dispatchThrough, serveStdio, untilAnswered, type StdioParts } from './stdio.ts'
export { toolsets, toolTable, type ToolEntry, type Toolset } from './table.ts'
export { readView, type ViewOptions } from './view.ts'
