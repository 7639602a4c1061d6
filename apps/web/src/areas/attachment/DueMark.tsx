import type { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import type { Row } from '@ordinator/model/entity'
import { formatDateTime } from '#kit/clock.ts'
import classes from './Attachment.module.css'

const SOON_MS = 24 * 3_600_000

type Term = Pick<Row<typeof AttachmentApplication>, 'dueAt' | 'redAt' | 'isLate'>

/** Deadline of the answer: red with less than four working hours left, orange on the last day. */
export function DueMark({ dueAt, redAt, isLate, before }: Term & { before?: string }) {
  const isRed = isLate === 'yes' || (redAt !== null && Date.parse(redAt) <= Date.now())
  const isSoon = Date.parse(dueAt) - Date.now() < SOON_MS
  return (
    <span className={classes.due} data-urgent={isRed ? 'late' : isSoon ? 'soon' : undefined}>
      {before} {formatDateTime(dueAt)}
    </span>
  )
}
