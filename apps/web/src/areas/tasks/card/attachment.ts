import type { PreviewSize } from '@ordinator/model/areas/files/file'
import type { File as StoredFile, TaskFile } from '@ordinator/model/areas/tasks/file'
import type { Row } from '@ordinator/model/entity'
import type { Person } from '../cards.ts'

/** A file of a task, as its card shows it. */
export type Attachment = Row<typeof TaskFile> & { file: Row<typeof StoredFile> & { user: Person | null } }

type Stored = Attachment['file']

export const previewUrl = (file: Pick<Stored, 'url'>, size: PreviewSize): string => `${file.url}/${size}`

/** What a picture is looked at in: a preview, but of an animation the whole, for a preview stands still. */
export const pictureUrl = (file: Stored): string => (file.extension === 'gif' ? file.url : previewUrl(file, 'large'))

export const downloadUrl = (file: Stored): string => `${file.url}?download=1`
