import { ApplicationFile, ApplicationPaper, Attachment, AttachmentApplication } from './application.ts'
import { AttachmentArea, AttachmentStreet } from './area.ts'

/** Entities of this area. */
export const entities = [
  AttachmentArea,
  AttachmentStreet,
  AttachmentApplication,
  ApplicationPaper,
  ApplicationFile,
  Attachment,
] as const
