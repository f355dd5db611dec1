export { QuotedDialog, QuoteLine, type QuotedAct } from './quote.tsx'
