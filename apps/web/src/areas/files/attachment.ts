import type { FileMeta, PreviewSize } from '@ordinator/model/storedFile'
import type { PersonLike } from '#kit/UserAvatar.tsx'
import type { Picture } from './Lightbox.tsx'

/** A file of a record, as displayed. */
export interface Attachment {
  id: number
  idFile: number
  file: {
    id: number
    name: string
    extension: string
    size: number
    url: string
    meta: FileMeta
    dateCreate: string
    user: PersonLike | null
  }
}

type Stored = Attachment['file']

export const previewUrl = (file: Pick<Stored, 'url'>, size: PreviewSize): string => `${file.url}/${size}`

/** URL for the viewer: a preview, but the original of an animation, as previews are static. */
const pictureUrl = (file: Stored): string => (file.extension === 'gif' ? file.url : previewUrl(file, 'large'))

export const downloadUrl = (file: Stored): string => `${file.url}?download=1`

/** The attachment for the viewer. */
export const pictureOf = ({ id, file }: Attachment): Picture => ({
  id,
  name: file.name,
  url: pictureUrl(file),
  download: downloadUrl(file),
  size: file.size,
  width: file.meta.width,
  height: file.meta.height,
})
