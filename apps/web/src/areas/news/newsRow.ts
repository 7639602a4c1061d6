import { groupImages, largestOf, smallestOf } from '@ordinator/model/areas/news/images'
import type { News, NewsImage } from '@ordinator/model/areas/news/news'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import type { Picture } from '#areas/files/index.ts'
import { apiUrl } from '#base/api.ts'

/** A news item with its pictures and the fields for lists and views. */
export type NewsRow = Expanded<typeof News, 'images'>
export type ImageRow = Row<typeof NewsImage>
type Shown = Pick<ImageRow, 'id' | 'key' | 'idExternal' | 'size' | 'url' | 'idFileRegister'> & {
  file?: { extension: string } | null
}

/** A picture of a news item: thumbnail and large size. */
export interface NewsPicture {
  /** Key shared by its sizes. */
  key: string
  /** Ids of its size rows. */
  ids: number[]
  thumb: string
  large: string
  /** The uploaded file. */
  original: string
}

/** Pictures of a news item, in order of addition. */
export const picturesOf = (images: readonly Shown[]): NewsPicture[] =>
  groupImages(images).flatMap((group) => {
    const [first] = group
    const large = largestOf(group)
    if (!first || !large) return []
    const original = originalOf(large.idFileRegister)
    return {
      key: `${first.key} ${first.idExternal ?? ''}`,
      ids: group.map(({ id }) => id),
      thumb: (group.find(({ size }) => size === 'medium') ?? smallestOf(group) ?? large).url,
      // Sizes of an animation are static.
      large: large.file?.extension === 'gif' ? original : large.url,
      original,
    }
  })

export const originalOf = (idFile: number): string => apiUrl('GET /files/:id', { params: { id: idFile } })

/** Pictures for the viewer; `id` is the index. */
export const viewerPictures = (pictures: readonly Pick<NewsPicture, 'large' | 'original'>[]): Picture[] =>
  pictures.map(({ large, original }, at) => ({
    id: at,
    name: `Изображение ${at + 1}`,
    url: large,
    download: `${original}?download=1`,
  }))

/** Query key of the dashboard's own calls. */
export const latestNews = ['news-latest'] as const

/** Displayed date of a news item. */
export const dateOf = ({ dateActive, dateCreate }: Pick<Row<typeof News>, 'dateActive' | 'dateCreate'>): string =>
  dateActive ?? dateCreate
