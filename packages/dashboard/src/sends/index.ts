export { CampaignSendDialog } from './send-dialog.tsx'
export { asTexts, SendPreviewDialog, type Wanted } from './send-dialog.tsx'
