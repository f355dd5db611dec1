export { CampaignSendDialog } from './campaign-dialog.tsx'
export { asTexts, SendPreviewDialog, type Wanted } from './send-dialog.tsx'
