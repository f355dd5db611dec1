export { CampaignField, toKeySettings } from './campaign-field.tsx'
export { asTexts, CampaignSendDialog, SendPreviewDialog, type Wanted } from './send-dialog.tsx'
