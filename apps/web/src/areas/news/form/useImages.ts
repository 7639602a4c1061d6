import { NewsFile, NewsImage } from '@ordinator/model/areas/news/news'
import { counted } from '@ordinator/model/format'
import { type PreviewSize, previewSizes } from '@ordinator/model/storedFile'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { FAILED } from '#areas/files/index.ts'
import { ApiError, errorMessage, plainMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { useDraft } from '#base/draft.ts'
import type { FormParts } from '#records/form/formParts.ts'
import { invalidateRecords } from '#records/keys.ts'
import { rulesOf, type UploadTarget, uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import { type ImageRow, type NewsPicture, originalOf, picturesOf } from '../newsRow.ts'

/** Specification §5. */
export const imageRules = rulesOf(NewsFile)

/** Response of an upload: one picture in its sizes, under one key. */
type StoredImage = { key: string } & Partial<Record<PreviewSize, { url: string; id: number }>>

/** Changes of the pictures on saving. */
interface Changes {
  added: StoredImage[]
  /** Keys of the pictures to delete. */
  removed: string[]
}

export interface ImageTile extends NewsPicture {
  isNew: boolean
  isRemoved: boolean
}

const nothing: Changes = { added: [], removed: [] }
const sizes = Object.keys(previewSizes) as PreviewSize[]

/** Pictures of a news item in a form: changes are applied on saving. */
export function useImages(idNews: number | undefined, images: readonly ImageRow[]) {
  const cache = useQueryClient()
  const key = `news:${idNews ?? 'new'}`
  const draft = useDraft<Changes>(`${key}:images`)
  const [changes, setChanges] = useState<Changes>(() => draft.found?.value ?? nothing)
  const sending = useUploads(key)
  const latest = useRef(changes)
  latest.current = changes

  const replace = useCallback(
    (next: Changes) => {
      latest.current = next
      setChanges(next)
      if (next.added.length + next.removed.length > 0) draft.keep(next)
      else draft.drop()
    },
    [draft],
  )

  const there = useMemo(() => picturesOf(images), [images])
  const tiles: ImageTile[] = [
    ...there.map((picture) => ({ ...picture, isNew: false, isRemoved: changes.removed.includes(picture.key) })),
    ...changes.added.map((image) => ({ ...pictureOf(image), isNew: true, isRemoved: false })),
  ]

  // Cancels uploads when the form closes.
  useEffect(() => () => cancelAll(key), [key])

  const target: UploadTarget = {
    key,
    stored: NewsFile,
    take: async (answer) => {
      // With `sizes` an upload returns the picture's sizes instead of a record; the declared types do not cover this.
      const image = answer as unknown as StoredImage
      replace({ ...latest.current, added: [...latest.current.added, image] })
    },
    whereToLook: 'Добавьте изображение ещё раз.',
    failure: { title: FAILED, text: failureText },
  }

  const going = sending.filter(({ status }) => status !== 'failed').length
  const removed = there.filter((picture) => changes.removed.includes(picture.key))
  const parts: FormParts = {
    dirty: changes.added.length > 0 || removed.length > 0 || going > 0,
    wait: going > 0 ? `Загружается ${counted(going, ['изображение', 'изображения', 'изображений'])}` : undefined,
    async save(id) {
      try {
        await quiet.batch(NewsImage, {
          create: changes.added.flatMap((image) => rowsOf(image, id)),
          delete: removed.flatMap(({ ids }) => ids),
        })
      } catch (error) {
        throw new Error(`Новость сохранена, а изображения — нет: ${errorMessage(error)}. Сохраните ещё раз.`)
      }
      await invalidateRecords(cache, NewsImage.path)
      // Synchronous, as the page may be left next: nothing is unsaved then.
      flushSync(() => replace(nothing))
    },
    discard: () => replace(nothing),
  }

  return {
    tiles,
    sending,
    parts,
    add: (files: File[]) => uploads.add(target, files),
    /** Marks or unmarks an existing image for deletion; a new one is removed at once. */
    toggle({ key: which, isNew }: ImageTile) {
      const { added, removed: marked } = latest.current
      if (!isNew)
        return replace({
          added,
          removed: marked.includes(which) ? marked.filter((one) => one !== which) : [...marked, which],
        })
      const gone = added.find((image) => image.key === which)
      replace({ added: added.filter((image) => image !== gone), removed: marked })
      const idFile = gone && sizes.map((size) => gone[size]?.id).find((id) => id !== undefined)
      // Otherwise the nightly cleanup would remove it.
      if (idFile !== undefined) void quiet.remove(NewsFile, idFile).catch(() => {})
    },
  }
}

/** Error text: the server's own, else the specification's. */
function failureText(error: unknown): string {
  const isPlain =
    !(error instanceof ApiError) || (error.status > 0 && errorMessage(error) === plainMessage(error.status))
  return isPlain ? 'Image upload failed' : errorMessage(error)
}

const quiet = recordsWith({ forbidden: 'silent' })

const sizesOf = (image: StoredImage) =>
  sizes.flatMap((size) => {
    const stored = image[size]
    return stored ? [{ size, ...stored }] : []
  })

const pictureOf = (image: StoredImage): NewsPicture => {
  const largest = sizesOf(image).at(-1)
  return {
    key: image.key,
    ids: [],
    thumb: (image.medium ?? image.small ?? largest)?.url ?? '',
    large: largest?.url ?? '',
    original: largest ? originalOf(largest.id) : '',
  }
}

const rowsOf = (image: StoredImage, idNews: number) =>
  sizesOf(image).map(({ size, id }) => ({ idNews, idFileRegister: id, size, key: image.key }))

function cancelAll(key: string): void {
  for (const upload of uploads.all()) if (upload.key === key) uploads.cancel(upload.id)
}
