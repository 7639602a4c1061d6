import { groupImages, largestOf, smallestOf } from '@ordinator/model/areas/news/images'
import type { News, NewsImage } from '@ordinator/model/areas/news/news'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import type { Picture } from '#areas/files/index.ts'
import { apiUrl } from '#base/api.ts'

/** A news item with its pictures, and what the lists and the open item ask for besides. */
export type NewsRow = Expanded<typeof News, 'images'>
export type ImageRow = Row<typeof NewsImage>
type Shown = Pick<ImageRow, 'id' | 'key' | 'idExternal' | 'size' | 'url' | 'idFileRegister'> & {
  file?: { extension: string } | null
}

/** A picture of a news item: what is small enough for a tile, and what is looked at. */
export interface NewsPicture {
  /** Of its group of sizes. */
  key: string
  /** The rows of its sizes. */
  ids: number[]
  thumb: string
  large: string
  /** As it was uploaded. */
  original: string
}

/** The pictures of a news item, in the order in which they were added. */
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
      // An animation stands still in its sizes.
      large: large.file?.extension === 'gif' ? original : large.url,
      original,
    }
  })

export const originalOf = (idFile: number): string => apiUrl('GET /files/:id', { params: { id: idFile } })

/** As the gallery looks at them; `id` is the place among them. */
export const lookedAt = (pictures: readonly Pick<NewsPicture, 'large' | 'original'>[]): Picture[] =>
  pictures.map(({ large, original }, at) => ({
    id: at,
    name: `Изображение ${at + 1}`,
    url: large,
    download: `${original}?download=1`,
  }))

/** The key of what the desktop's own calls answer. */
export const latestNews = ['news-latest'] as const

/** The day that a news item is known by. */
export const dateOf = ({ dateActive, dateCreate }: Pick<Row<typeof News>, 'dateActive' | 'dateCreate'>): string =>
  dateActive ?? dateCreate
