/** Capture: sweeping posts and storing who engaged with them, each new person charged once. */
export { captureStep, type CaptureDeps } from './jobs.ts'
