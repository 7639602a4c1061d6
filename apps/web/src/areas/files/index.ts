/** What the area of files publishes to others: attachments of a record. */

export { Attachments } from './Attachments.tsx'
export { previewUrl } from './attachment.ts'
export { UploadTile } from './UploadTile.tsx'
